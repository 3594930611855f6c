// SPDX-License-Identifier: BSD-3-Clause
// What a user gets wrong, and the sentence it earns: file, line, column, what was found and what was expected.
#include "io/scene_text.h"

#include <stdio.h>
#include <unistd.h>

typedef struct bad_scene {
    const char *what;
    const char *text;     // ' stands for "
    const char *message;  // behind "s.json:"
} bad_scene;

static const bad_scene bad_scenes[] = {
    {"empty", "", "1:1: the scene is empty; the least is {'time': {'end': 1}}"},
    {"only spaces",
     "  \n"
     " ",
     "1:1: the scene is empty; the least is {'time': {'end': 1}}"},
    {"byte order mark", "\xef\xbb\xbf{}", "1:1: the text begins with a byte order mark; save it as UTF-8 without one"},
    {"not JSON",
     "{\n"
     "  'time': {'end': 1},\n"
     "  oops\n"
     "}",
     "3:6: not valid JSON: string or '}' expected near 'oops'"},
    {"no closing brace", "{'time': {'end': 1}", "1:19: not valid JSON: '}' expected near end of file"},
    {"comma too many", "{'time': {'end': 1,}}", "1:20: not valid JSON: string or '}' expected near '}'"},
    {"two values", "{} {}", "1:4: not valid JSON: end of file expected near '{'"},
    {"duplicate key",
     "{'time': {'end': 1},\n"
     " 'time': {'end': 2}}",
     "2:7: not valid JSON: duplicate object key near ''time''"},
    {"number too large", "{'time': {'end': 1e999}}", "1:22: not valid JSON: real number overflow near '1e999'"},
    {"invalid UTF-8", "{'title': '\xff'}", "1:11: not valid JSON: unable to decode byte 0xff near '''"},
    {"a list", "[1, 2]", "1:1: 'scene' must be an object { ... }, not a list"},
    {"no time", "{}", "1:1: 'scene' needs 'time': {'step': seconds, 'end': seconds}"},
    {"misspelt time", "{'tiem': {'end': 1}}", "1:2: unknown key 'tiem'; did you mean 'time'?"},
    {"unknown key",
     "{'time': {'end': 1},\n"
     " 'bodys': []}",
     "2:2: unknown key 'bodys'; did you mean 'bodies'?"},
    {"unknown key far from all",
     "{'time': {'end': 1},\n"
     " 'xyzzyxyzzy': []}",
     "2:2: unknown key 'xyzzyxyzzy'; the keys of 'scene' are $schema, title, description, parameters, seed, time, "
     "gravity, periodic, solver, contact, limits, materials, pairs, grounds, bodies, joints, actuators, springs, "
     "couplings, loads, fills, tables, beds, emitters, sinks, domain, active_box, sleeping, probes, output, view, "
     "vehicles, drivers, anchors, phases, rig, chain_drives, comment"},
    {"key written with escapes",
     "{'time': {'end': 1},\n"
     " 'sol\\u0076or': {}}",
     "2:2: unknown key 'solvor'; did you mean 'solver'?"},
    {"unknown key after wide characters", "{'title': 'Körner', 'tytle': 'x', 'time': {'end': 1}}",
     "1:21: unknown key 'tytle'; did you mean 'title'?"},
    {"needed key misspelt", "{'time': {'ned': 1}}", "1:11: unknown key 'ned'; did you mean 'end'?"},
    {"needed key missing",
     "{'time':\n"
     "   {'step': 1}}",
     "2:4: 'time' needs 'end': a number or a formula"},
    {"time is a number", "{'time': 5}", "1:10: 'time' must be an object { ... }, not a number"},
    {"step zero", "{'time': {'step': 0, 'end': 1}}", "1:19: 'step' must be above 0, not 0"},
    {"endless", "{'time': {'step': 1e-300, 'end': 1}}",
     "1:19: to 'end' there would be more than 1e+12 steps of this length"},
    {"end negative", "{'time': {'end': -1}}", "1:18: 'end' must be at least 0, not -1"},
    {"end is text of nothing", "{'time': {'end': ''}}",
     "1:19: in the formula of 'end': expected a number or a formula, not an empty text"},
    {"end is a list", "{'time': {'end': [1]}}", "1:18: 'end' must be a number or a formula, not a list"},
    {"end is null", "{'time': {'end': null}}", "1:18: 'end' must be a number or a formula, not null"},
    {"formula of time where none is allowed", "{'time': {'end': '2*t'}}",
     "1:21: in the formula of 'end': time (t) can be used only in gravity, motions, motors and loads"},
    {"formula unknown name", "{'parameters': {'width': 1}, 'time': {'end': '3 * widht'}}",
     "1:51: in the formula of 'end': unknown name 'widht'; did you mean 'width'?"},
    {"formula unknown function", "{'time': {'end': '1 + cbt(2)'}}",
     "1:23: in the formula of 'end': unknown name 'cbt'; did you mean 'cbrt'?"},
    {"formula wrong number of values", "{'time': {'end': 'clamp(1, 2)'}}",
     "1:19: in the formula of 'end': 'clamp' takes 3 values, not 2: clamp(x, low, high)"},
    {"formula unclosed", "{'time': {'end': '(1 + 2'}}",
     "1:25: in the formula of 'end': expected an operator or ')', not the end"},
    {"formula behind escapes", "{'time': {'end': '\\u0031 +\\t* 2'}}",
     "1:29: in the formula of 'end': expected a number, a name or '(', not '*'"},
    {"formula not finite", "{'time': {'end': '1/0'}}", "1:18: the formula of 'end' gives no finite number: 1/0"},
    {"formula not a number", "{'time': {'end': 'sqrt(-1)'}}",
     "1:18: the formula of 'end' gives no finite number: sqrt(-1)"},
    {"formula at t = 0", "{'time': {'end': 1}, 'gravity': [0, 0, '1/t']}",
     "1:40: the formula of 'gravity[2]' gives no finite number at t = 0: 1/t"},
    {"gravity too short", "{'time': {'end': 1}, 'gravity': [0, -9.81]}",
     "1:33: 'gravity' must be a list of three numbers or functions of time, not of 2"},
    {"gravity with a word", "{'time': {'end': 1}, 'gravity': [0, true, 0]}",
     "1:37: 'gravity[1]' must be a number, a formula, or an object with table, file, sine, pieces or phases, not true"},
    {"parameter named like a function", "{'parameters': {'sin': 1}, 'time': {'end': 1}}",
     "1:17: 'sin' cannot be a parameter: a name has letters, digits and _, and is none of the functions and constants "
     "of formulae"},
    {"parameter named t", "{'parameters': {'t': 1}, 'time': {'end': 1}}",
     "1:17: 't' cannot be a parameter: a name has letters, digits and _, and is none of the functions and constants of "
     "formulae"},
    {"parameter used before it is there", "{'parameters': {'a': 'b', 'b': 1}, 'time': {'end': 1}}",
     "1:23: in the formula of 'a': unknown name 'b': neither a parameter defined before, nor a function or constant"},
    {"parameter is a list", "{'parameters': {'a': []}, 'time': {'end': 1}}",
     "1:22: 'a' must be a number or a formula, not a list"},
    {"seed not whole", "{'time': {'end': 1}, 'seed': 1.5}", "1:30: 'seed' must be a whole number, not 1.5"},
    {"seed negative", "{'time': {'end': 1}, 'seed': -1}", "1:30: 'seed' must be from 0 to 9.0072e+15, not -1"},
    {"period upside down", "{'time': {'end': 1}, 'periodic': {'y': [1, 0.5]}}",
     "1:40: space repeats from a lower to a higher coordinate: 1 is not below 0.5"},
    {"period of no length", "{'time': {'end': 1}, 'periodic': {'x': [0.5, 0.5]}}",
     "1:40: space repeats from a lower to a higher coordinate: 0.5 is not below 0.5"},
    {"period of nothing", "{'time': {'end': 1}, 'periodic': {}}", "1:34: 'periodic' must say 'x', 'y' or 'z'"},
    {"period along no axis", "{'time': {'end': 1}, 'periodic': {'u': [0, 1]}}",
     "1:35: unknown key 'u'; the keys of 'periodic' are x, y, z, shear, servo, comment"},
    {"shear along an axis that ends", "{'time': {'end': 1}, 'periodic': {'x': [0, 1], 'shear': {'flow': 'y'}}}",
     "1:66: space is sheared between axes that repeat, and 'y' does not"},
    {"shear along its gradient",
     "{'time': {'end': 1}, 'periodic': {'x': [0, 1], 'shear': {'flow': 'x', 'gradient': 'x', 'rate': 1}}}",
     "1:83: the gradient must be across the flow, not along it"},
    {"stress of no cell", "{'time': {'end': 1}, 'probes': [{'name': 's', 'kind': 'stress'}]}",
     "1:33: a stress probe measures a cell: space must repeat along x, y and z ('periodic')"},
    {"period of one number", "{'time': {'end': 1}, 'periodic': {'x': [0]}}",
     "1:40: 'x' must be a list of a lowest and a highest coordinate, not of 1"},
    {"unknown solver", "{'time': {'end': 1}, 'solver': {'method': 'apdg'}}",
     "1:43: 'method' must be ags, gs, apgd, jacobi, bb, newton or auto, not 'apdg'; did you mean 'apgd'?"},
    {"unknown reduction", "{'time': {'end': 1}, 'contact': {'reduction': 'fewest'}}",
     "1:47: 'reduction' must be spread or random, not 'fewest'"},
    {"a fraction of a contact", "{'time': {'end': 1}, 'contact': {'max_per_pair': 2.5}}",
     "1:50: 'max_per_pair' must be a whole number, not 2.5"},
    {"unknown contact law", "{'time': {'end': 1}, 'contact': {'law': 'springs'}}",
     "1:41: 'law' must be compliant, rigid or penalty, not 'springs'"},
    {"no iterations", "{'time': {'end': 1}, 'solver': {'max_iterations': 0}}",
     "1:51: 'max_iterations' must be from 1 to 1e+06, not 0"},
    {"warm start not a flag", "{'time': {'end': 1}, 'solver': {'warm_start': 1}}",
     "1:47: 'warm_start' must be true or false, not a number"},
    {"tolerance negative", "{'time': {'end': 1}, 'solver': {'tolerance': -1e-3}}",
     "1:46: 'tolerance' must be at least 0, not -0.001"},
    {"speed limit zero", "{'time': {'end': 1}, 'limits': {'speed': 0}}",
     "1:42: 'speed' must be above 0 and at most 1e+09, not 0"},
    {"density zero", "{'time': {'end': 1}, 'materials': {'glass': {'density': 0}}}",
     "1:57: 'density' must be above 0 and at most 1e+09, not 0"},
    {"friction negative", "{'time': {'end': 1}, 'materials': {'glass': {'friction': -0.5}}}",
     "1:58: 'friction' must be from 0 to 1000, not -0.5"},
    {"restitution above one", "{'time': {'end': 1}, 'materials': {'glass': {'restitution': 1.5}}}",
     "1:61: 'restitution' must be from 0 to 1, not 1.5"},
    {"poisson too large", "{'time': {'end': 1}, 'materials': {'glass': {'poisson': 0.6}}}",
     "1:57: 'poisson' must be above -1 and at most 0.5, not 0.6"},
    {"rolling friction negative", "{'time': {'end': 1}, 'materials': {'glass': {'rolling_friction': -0.1}}}",
     "1:66: 'rolling_friction' must be from 0 to 1000, not -0.1"},
    {"spinning friction in words", "{'time': {'end': 1}, 'materials': {'glass': {'spinning_friction': true}}}",
     "1:67: 'spinning_friction' must be a number or a formula, not true"},
    {"cohesion misspelt", "{'time': {'end': 1}, 'materials': {'clay': {'cohesoin': 100}}}",
     "1:45: unknown key 'cohesoin'; did you mean 'cohesion'?"},
    {"colour by name",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'sphere': {'radius': 1}}],\n 'appearance': {'colour': 'red'}}]}",
     "2:27: 'colour' is written as '#d08030', red, green and blue in hexadecimal, not 'red'"},
    {"colour too short",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'sphere': {'radius': 1}}],\n 'appearance': {'colour': '#12345'}}]}",
     "2:27: 'colour' is written as '#d08030', red, green and blue in hexadecimal, not '#12345'"},
    {"opacity above one",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'sphere': {'radius': 1}}],\n 'appearance': {'opacity': 2}}]}",
     "2:28: 'opacity' must be from 0 to 1, not 2"},
    {"visibility misspelt",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'sphere': {'radius': 1}}],\n 'appearance': {'visibel': true}}]}",
     "2:17: unknown key 'visibel'; did you mean 'visible'?"},
    {"surface energy of a pair too large",
     "{'time': {'end': 1}, 'materials': {'a': {}}, 'pairs': [{'materials': ['a', 'a'],\n 'surface_energy': 1e7}]}",
     "2:20: 'surface_energy' must be from 0 to 1e+06, not 10000000"},
    {"contact law misspelt", "{'time': {'end': 1}, 'contact': {'law': 'penality'}}",
     "1:41: 'law' must be compliant, rigid or penalty, not 'penality'; did you mean 'penalty'?"},
    {"unknown friction law", "{'time': {'end': 1}, 'contact': {'friction': 'colomb'}}",
     "1:46: 'friction' must be convex or coulomb, not 'colomb'; did you mean 'coulomb'?"},
    {"unknown normal law", "{'time': {'end': 1}, 'contact': {'normal': 'herz'}}",
     "1:44: 'normal' must be hertz or hooke, not 'herz'; did you mean 'hertz'?"},
    {"unknown rolling law", "{'time': {'end': 1}, 'contact': {'rolling': 'elstic'}}",
     "1:45: 'rolling' must be elastic or constant, not 'elstic'; did you mean 'elastic'?"},
    {"unknown adhesion law", "{'time': {'end': 1}, 'contact': {'adhesion': 'jrk'}}",
     "1:46: 'adhesion' must be dmt or jkr, not 'jrk'; did you mean 'jkr'?"},
    {"compliance of nothing", "{'time': {'end': 1}, 'contact': {'compliance': 0}}",
     "1:48: 'compliance' must be above 0 and at most 1, not 0"},
    {"envelope too wide", "{'time': {'end': 1}, 'contact': {'envelope': 2}}",
     "1:46: 'envelope' must be from 0 to 1, not 2"},
    {"damping negative", "{'time': {'end': 1}, 'contact': {'damping': '-1/8'}}",
     "1:45: 'damping' must be at least 0, not -0.125"},
    {"stiffness negative", "{'time': {'end': 1}, 'contact': {'stiffness': -1}}",
     "1:47: 'stiffness' must be at least 0, not -1"},
    {"unknown precision", "{'time': {'end': 1}, 'solver': {'precision': 'duoble'}}",
     "1:46: 'precision' must be usual, double or mixed, not 'duoble'; did you mean 'double'?"},
    {"relaxation too large", "{'time': {'end': 1}, 'solver': {'omega': 2}}",
     "1:42: 'omega' must be at least 0 and below 2, not 2"},
    {"unknown solver", "{'time': {'end': 1}, 'solver': {'method': 'jacoby'}}",
     "1:43: 'method' must be ags, gs, apgd, jacobi, bb, newton or auto, not 'jacoby'; did you mean 'jacobi'?"},
    {"a solver that knows no coulomb friction",
     "{'time': {'end': 1}, 'solver': {'method': 'bb'},\n 'contact': {'friction': 'coulomb'}}",
     "2:26: 'coulomb' is solved by the methods 'auto', 'newton', 'ags' and 'gs' only"},
    {"a neck on a straight spring",
     "{'time': {'end': 1}, 'contact': {'law': 'penalty', 'normal': 'hooke',\n 'adhesion': 'jkr'}}",
     "2:14: 'jkr' goes with the normal law 'hertz'; with 'hooke' take 'dmt'"},
    {"penalty without a modulus",
     "{'time': {'end': 1}, 'contact': {'law': 'penalty'},\n"
     " 'materials': {'steel': {'young': 2e11},\n"
     "               'glass': {'density': 2600}},\n"
     " 'bodies': [{'shapes': [{'sphere': {'radius': 1}, 'material': 'glass'}]}]}",
     "3:25: under the penalty law the material 'glass' needs 'young': Young's modulus in Pa"},
    {"penalty without materials",
     "{'time': {'end': 1}, 'contact': {'law': 'penalty'},\n"
     " 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}, 'radius': 0.1}]}",
     "1:1: under the penalty law the material 'default' needs 'young': Young's modulus in Pa"},
    {"material is a number", "{'time': {'end': 1}, 'materials': {'glass': 2500}}",
     "1:45: 'glass' must be an object { ... }, not a number"},
    {"material with a bad name", "{'time': {'end': 1}, 'materials': {'a,b': {}}}",
     "1:43: 'a,b' is no name: a name has 1 to 47 bytes, no . , ; ' or \\, and no space at its ends"},
    {"pair with unknown material",
     "{'time': {'end': 1}, 'materials': {'glass': {}, 'steel': {}},\n"
     " 'pairs': [{'materials': ['glass', 'steal']}]}",
     "2:36: there is no material 'steal'; did you mean 'steel'?"},
    {"pair given twice",
     "{'time': {'end': 1}, 'materials': {'a': {}, 'b': {}},\n"
     " 'pairs': [{'materials': ['a', 'b']},\n"
     "           {'materials': ['b', 'a']}]}",
     "3:12: the pair of 'b' and 'a' has been given before, in pairs[0]"},
    {"pair of three", "{'time': {'end': 1}, 'pairs': [{'materials': ['default', 'default', 'default']}]}",
     "1:46: 'materials' must be a list of two names, not of 3"},
    {"body without shapes", "{'time': {'end': 1}, 'bodies': [{'mass': 1}]}",
     "1:33: 'bodies[0]' needs 'shapes': a list of shapes"},
    {"body with no shape", "{'time': {'end': 1}, 'bodies': [{'shapes': []}]}",
     "1:44: 'shapes' must have at least one shape"},
    {"body that is a list", "{'time': {'end': 1}, 'bodies': [[]]}",
     "1:33: 'bodies[0]' must be an object { ... }, not a list"},
    {"unknown kind of body", "{'time': {'end': 1}, 'bodies': [{'kind': 'static', 'shapes': [{'plane': {}}]}]}",
     "1:42: 'kind' must be dynamic, fixed or kinematic, not 'static'"},
    {"negative mass", "{'time': {'end': 1}, 'bodies': [{'mass': -2, 'shapes': [{'sphere': {'radius': 1}}]}]}",
     "1:42: 'mass' must be from 0 to 1e+15, not -2"},
    {"radius zero",
     "{'time': {'end': 1},\n"
     " 'bodies': [\n"
     "  {'shapes': [{'sphere': {'radius': 0}}]}]}",
     "3:37: 'radius' must be from 1e-09 to 1e+09, not 0"},
    {"radius misspelt", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'sphere': {'raduis': 1}}]}]}",
     "1:57: unknown key 'raduis'; did you mean 'radius'?"},
    {"shape of two kinds",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'sphere': {'radius': 1}, 'box': {'size': [1, 1, 1]}}]}]}",
     "1:71: a shape is 'sphere' or 'box' but not both"},
    {"shape of no kind", "{'time': {'end': 1}, 'bodies': [{'shapes': [{}]}]}",
     "1:45: 'shapes[0]' must have 'sphere', 'ellipsoid', 'box', 'capsule', 'cylinder', 'cone', 'hull', 'mesh', "
     "'heightfield', 'plane', 'compound' or 'spheres'"},
    {"sphere set that is not there",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'spheres': {'file': 'no.spheres'}}]}]}",
     "1:66: cannot open the sphere set 'no.spheres': No such file or directory"},
    {"shape of unknown kind", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'shpere': {'radius': 1}}]}]}",
     "1:46: unknown key 'shpere'; did you mean 'sphere'?"},
    {"plane on a dynamic body", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'plane': {}}]}]}",
     "1:46: a plane has no mass: its body must be 'kind': 'fixed' or 'kinematic'"},
    {"heightfield on a dynamic body",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'heightfield': {'heights': [[0, 0], [0, 0]], 'spacing': [1, "
     "1]}}]}]}",
     "1:46: a heightfield has no mass: its body must be 'kind': 'fixed' or 'kinematic'"},
    {"ellipsoid with one axis", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'ellipsoid': {'semi_axes': [1]}}]}]}",
     "1:73: 'semi_axes' must be a list of three numbers, not of 1"},
    {"cone without a length", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'cone': {'radius': 1}}]}]}",
     "1:54: 'cone' needs 'length': a number or a formula"},
    {"capsule with a height", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'capsule': {'radius': 1, 'lenght': 1}}]}]}",
     "1:71: unknown key 'lenght'; did you mean 'length'?"},
    {"cylinder without extent",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'cylinder': {'radius': 1, 'length': 0}}]}]}",
     "1:82: 'length' must be from 1e-09 to 1e+09, not 0"},
    {"hull of nothing", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'hull': {}}]}]}",
     "1:54: 'hull' needs 'points': a list of points, or 'file'"},
    {"hull of points and a file",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'hull': {'points': [], 'file': 'a.csv'}}]}]}",
     "1:69: a hull is 'points' or 'file' but not both"},
    {"point of two numbers",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'hull': {'points': [[0, 0, 0], [1, 2]]}}]}]}",
     "1:77: 'points[1]' must be a list of three numbers, not of 2"},
    {"hull from a file that is not there",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'hull': {'file': 'nowhere.csv'}}]}]}",
     "1:63: cannot open the hull 'nowhere.csv': No such file or directory"},
    {"mesh without triangles", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'mesh': {'vertices': [[0, 0, 0]]}}]}]}",
     "1:54: 'mesh' needs 'triangles': a list of triangles"},
    {"triangle of a vertex that is not there",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'mesh': {'vertices': [[0, 0, 0], [1, 0, 0], [0, 1, 0]],\n"
     "  'triangles': [[0, 1, 3]]}}]}]}",
     "2:24: 'triangles[0][2]' must be from 0 to 2, not 3"},
    {"triangle of half a vertex",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'mesh': {'vertices': [[0, 0, 0], [1, 0, 0], [0, 1, 0]],\n"
     "  'triangles': [[0, 1.5, 2]]}}]}]}",
     "2:21: a vertex is counted 0, 1, 2, ..., not 1.5"},
    {"heights of one row",
     "{'time': {'end': 1}, 'bodies': [{'kind': 'fixed', 'shapes': [{'heightfield': {'heights': [[0, 1]], 'spacing': "
     "[1, "
     "1]}}]}]}",
     "1:90: 'heights' must be a list of at least two rows of at least two numbers"},
    {"heights of rows that differ",
     "{'time': {'end': 1}, 'bodies': [{'kind': 'fixed', 'shapes': [{'heightfield': {'heights': [[0, 1], [0]],\n"
     " 'spacing': [1, 1]}}]}]}",
     "1:99: 'heights[1]' must be a list of 2 numbers, as the first one, not of 1"},
    {"heights without a grid",
     "{'time': {'end': 1}, 'bodies': [{'kind': 'fixed', 'shapes': [{'heightfield': {'heights': [[0, 1], [0, 1]]}}]}]}",
     "1:78: 'heightfield' needs 'spacing': two numbers, from point to point along x and y"},
    {"compound of a material",
     "{'time': {'end': 1}, 'bodies': [{'shapes': [{'compound': {'shapes': [{'sphere': {'radius': 1}}]}, 'material': "
     "'default'}]}]}",
     "1:99: a compound has no material of its own: its shapes have"},
    {"compound of nothing", "{'time': {'end': 1}, 'bodies': [{'shapes': [{'compound': {'shapes': []}}]}]}",
     "1:69: 'shapes' must have at least one shape"},
    {"grain of two kinds",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}, 'radius': 0.1,\n"
     " 'shape': {'box': {'size': [1, 1, 1]}, 'cone': {'radius': 1, 'length': 1}}}]}",
     "2:40: a grain is 'box' or 'cone' but not both"},
    {"grain of an unknown kind",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}, 'radius': 0.1,\n"
     " 'shape': {'elipsoid': {'semi_axes': [1, 1, 1]}}}]}",
     "2:12: unknown key 'elipsoid'; did you mean 'ellipsoid'?"},
    {"grain of no kind",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}, 'radius': 0.1,\n"
     " 'shape': {}}]}",
     "2:11: 'shape' must have 'ellipsoid', 'box', 'capsule', 'cylinder', 'cone', 'clump' or 'pebble'"},
    {"unknown material",
     "{'time': {'end': 1}, 'materials': {'glass': {}},\n"
     " 'bodies': [{'shapes': [{'sphere': {'radius': 1}, 'material': 'galss'}]}]}",
     "2:63: there is no material 'galss'; did you mean 'glass'?"},
    {"material needed",
     "{'time': {'end': 1}, 'materials': {'glass': {}, 'steel': {}},\n"
     " 'bodies': [{'shapes': [{'sphere': {'radius': 1}}]}]}",
     "2:25: 'shapes[0]' needs 'material': the name of one of the scene's materials"},
    {"zero rotation",
     "{'time': {'end': 1}, 'bodies': [{'rotation': [0, 0, 0, 0], 'shapes': [{'sphere': {'radius': 1}}]}]}",
     "1:46: 'rotation' must be a quaternion of length 1e-06 to 1e+06; [1, 0, 0, 0] is no rotation"},
    {"rotation of three numbers",
     "{'time': {'end': 1}, 'bodies': [{'rotation': [0, 0, 0], 'shapes': [{'sphere': {'radius': 1}}]}]}",
     "1:46: 'rotation' must be a list of four numbers w, x, y, z, not of 3"},
    {"rotation axis zero",
     "{'time': {'end': 1}, 'bodies': [{'rotation': {'axis': [0, 0, 0], 'angle_degrees': 3}, 'shapes': []}]}",
     "1:55: 'axis' must be a direction of length 1e-06 to 1e+06, not [0, 0, 0]"},
    {"rotation in radians",
     "{'time': {'end': 1}, 'bodies': [{'rotation': {'axis': [0, 0, 1], 'angle': 3}, 'shapes': []}]}",
     "1:46: 'rotation' needs 'angle_degrees': a number or a formula"},
    {"body too far away", "{'time': {'end': 1}, 'bodies': [{'position': [0, 0, 1e10], 'shapes': []}]}",
     "1:53: 'position[2]' must be from -1e+09 to 1e+09, not 10000000000"},
    {"two bodies of one name",
     "{'time': {'end': 1}, 'bodies': [\n"
     "  {'name': 'a', 'shapes': [{'sphere': {'radius': 1}}]},\n"
     "  {'name': 'a', 'shapes': [{'sphere': {'radius': 1}}]}]}",
     "3:12: there is another body called 'a'; names must differ"},
    {"unknown group",
     "{'time': {'end': 1}, 'bodies': [{'group': 'walls', 'collides_with': ['wals'], 'shapes': [{'sphere': {'radius': "
     "1}}]}]}",
     "1:70: there is no group 'wals'; did you mean 'walls'?"},
    {"group called all", "{'time': {'end': 1}, 'bodies': [{'group': 'all', 'shapes': []}]}",
     "1:43: 'all' stands for all groups and cannot be one"},
    {"group that is a number", "{'time': {'end': 1}, 'bodies': [{'group': 3, 'shapes': []}]}",
     "1:43: 'group' must be a name or a list of names, not a number"},
    {"no group", "{'time': {'end': 1}, 'bodies': [{'group': [], 'shapes': []}]}",
     "1:43: 'group' must name at least one group"},
    {"fixed body with a velocity",
     "{'time': {'end': 1}, 'bodies': [{'kind': 'fixed', 'velocity': [1, 0, 0], 'shapes': [{'plane': {}}]}]}",
     "1:63: a fixed body has no velocity: leave it out, or say 'kind': 'kinematic'"},
    {"fixed body with a start",
     "{'time': {'end': 1}, 'bodies': [{'kind': 'fixed', 'start': {'position': [0, 0, 1], 'rotation': [1, 0, 0, 0]}, "
     "'shapes': [{'plane': {}}]}]}",
     "1:51: only a dynamic body has a start: put this one where it is to be"},
    {"start without a rotation",
     "{'time': {'end': 1}, 'bodies': [{'start': {'position': [0, 0, 1]}, 'shapes': [{'sphere': {'radius': 1}}]}]}",
     "1:43: 'start' needs 'rotation': a rotation, as bodies have"},
    {"motion of a dynamic body",
     "{'time': {'end': 1}, 'bodies': [{'motion': {'velocity': [1, 0, 0]}, 'shapes': [{'sphere': {'radius': 1}}]}]}",
     "1:34: only a body of 'kind': 'kinematic' has a motion"},
    {"motion by position and velocity",
     "{'time': {'end': 1}, 'bodies': [{'kind': 'kinematic', 'motion': {'velocity': [1, 0, 0], 'position': ['t', 0, "
     "0]}}]}",
     "1:66: a motion is 'position' or 'velocity' but not both"},
    {"motion and position",
     "{'time': {'end': 1}, 'bodies': [{'kind': 'kinematic', 'position': [0, 0, 0], 'motion': {'position': ['t', 0, "
     "0]}}]}",
     "1:55: 'position' follows from 'motion': leave it out"},
    {"motion from far away",
     "{'time': {'end': 1}, 'bodies': [{'kind': 'kinematic', 'motion': {'position': ['t', 0, '-1e10']}}]}",
     "1:65: 'motion' must begin within 1e+09 m of the origin, not at [0, 0, -1e+10]"},
    {"motion without axis", "{'time': {'end': 1}, 'bodies': [{'kind': 'kinematic', 'motion': {'angle': 't'}}]}",
     "1:65: 'motion' needs 'axis': a list of three numbers"},
    {"motion of nothing", "{'time': {'end': 1}, 'bodies': [{'kind': 'kinematic', 'motion': {}}]}",
     "1:65: 'motion' must have position or velocity, angle or spin"},
    {"fill without region", "{'time': {'end': 1}, 'fills': [{'radius': 0.1}]}",
     "1:32: 'fills[0]' needs 'region': {'box': ...}, {'cylinder': ...} or {'sphere': ...}"},
    {"fill region of no kind", "{'time': {'end': 1}, 'fills': [{'radius': 0.1, 'region': {}}]}",
     "1:58: 'region' must have 'box', 'cylinder' or 'sphere'"},
    {"fill region upside down",
     "{'time': {'end': 1}, 'fills': [{'radius': 0.1, 'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 0]}}}]}",
     "1:93: 'high' must be above 'low' in x, y and z: [1, 1, 0] is not above [0, 0, 0]"},
    {"cylinder without radius",
     "{'time': {'end': 1}, 'fills': [{'radius': 0.1, 'region': {'cylinder': {'base': [0, 0, 0], 'height': 1}}}]}",
     "1:71: 'cylinder' needs 'radius': a number or a formula"},
    {"fill without radius",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}}]}",
     "1:32: 'fills[0]' needs 'radius': a radius, or how radii are distributed"},
    {"radii upside down",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'uniform': [0.2, 0.1]}}]}",
     "2:25: the largest must not be below the smallest: 0.1 is below 0.2"},
    {"radii: mean outside",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'normal': {'mean': 3, 'deviation': 1, 'min': 1, 'max': 2}}}]}",
     "2:33: 'mean' must lie between 'min' and 'max': 3 is not between 1 and 2"},
    {"radii: unknown distribution",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'weibull': 3}}]}",
     "2:14: unknown key 'weibull'; the keys of 'radius' are uniform, normal, lognormal, table, sieve, comment"},
    {"radii: empty table",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'table': []}}]}",
     "2:23: 'table' must have an entry [radius, share]"},
    {"radii: shares all zero",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'table': [[0.1, 0]]}}]}",
     "2:23: the shares of 'table' must not all be 0"},
    {"radii: negative share",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'table': [[0.1, 1], [0.2, -1]]}}]}",
     "2:40: 'table[1][1]' must be at least 0, not -1"},
    {"ground without size", "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'spacing': 1}]}",
     "1:34: 'grounds[0]' needs 'size': two numbers, along x and y"},
    {"ground without spacing", "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'size': [1, 1]}]}",
     "1:34: 'grounds[0]' needs 'spacing': a number, from point to point"},
    {"ground without name", "{'time': {'end': 1}, 'grounds': [{'size': [1, 1], 'spacing': 1}]}",
     "1:34: 'grounds[0]' needs 'name': text in quotes"},
    {"ground on itself", "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'on': 'a'}]}",
     "1:54: a ground lies on another one, before it, not on itself"},
    {"ground on another with a size",
     "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'size': [1, 1], 'spacing': 1},\n"
     "  {'name': 'b', 'on': 'a', 'size': [2, 2]}]}",
     "2:28: a ground 'on' another one has its 'size' from there"},
    {"raster that is not there", "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'raster': {'file': 'nowhere.png'}}]}",
     "1:67: cannot open the raster 'nowhere.png': No such file or directory"},
    {"feature of no kind",
     "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'size': [1, 1], 'spacing': 1, 'features': [{}]}]}",
     "1:91: 'features[0]' must have 'bump', 'ditch', 'slope' or 'pile'"},
    {"ditch wider below",
     "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'size': [1, 1], 'spacing': 1, 'features': [\n"
     "  {'ditch': {'from': [0, 0], 'to': [1, 0], 'width': 1, 'depth': 1, 'bottom': 2}}]}]}",
     "2:78: the bottom must be narrower than the top: 2 m is not less than 1 m"},
    {"roughness of no class",
     "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'size': [1, 1], 'spacing': 1, 'roughness': {'class': 'K'}}]}",
     "1:101: 'class' must be A, B, C, D, E, F, G or H, not 'K'"},
    {"fill under no ground",
     "{'time': {'end': 1}, 'fills': [{'radius': 0.1, 'region': {'under': {'ground': 'a', 'depth': 1}}}]}",
     "1:79: there is no ground 'a' in the scene"},
    {"fill without a bottom",
     "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'size': [1, 1], 'spacing': 1}],\n"
     " 'fills': [{'radius': 0.1, 'region': {'under': {'ground': 'a'}}}]}",
     "2:48: 'under' must have 'depth', 'floor' or 'bottom'"},
    {"grid of grains on a ground",
     "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'size': [1, 1], 'spacing': 1}],\n"
     " 'fills': [{'radius': 0.1, 'region': {'on': {'ground': 'a'}}}]}",
     "2:39: grains 'on' a ground have the pattern 'random' and a 'count'"},
    {"emitter under a ground",
     "{'time': {'end': 1}, 'grounds': [{'name': 'a', 'size': [1, 1], 'spacing': 1}],\n"
     " 'emitters': [{'radius': 0.1, 'rate': 1, 'region': {'under': {'ground': 'a'}}}]}",
     "2:53: unknown key 'under'; the keys of 'region' are box, cylinder, sphere, comment"},
    {"sieves: one",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'sieve': [[0.1, 1]]}}]}",
     "2:23: 'sieve' must have at least two entries [opening, share of the mass that passes]"},
    {"sieves that do not rise",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'sieve': [[0.1, 0], [0.1, 1]]}}]}",
     "2:35: openings must rise from sieve to sieve: 0.1 follows 0.1"},
    {"sieves that hold back what passed",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'sieve': [[0.1, 0], [0.2, 0.5], [0.3, 0.4], [0.4, 1]]}}]}",
     "2:52: what passes must rise from sieve to sieve: 0.4 follows 0.5"},
    {"sieves that not all passes",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}},\n"
     "  'radius': {'sieve': [[0.1, 0], [0.2, 0.9]]}}]}",
     "2:40: all passes the last sieve: its share must be 1, not 0.9"},
    {"count not whole",
     "{'time': {'end': 1}, 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}, 'radius': 0.1, "
     "'count': '10/4'}]}",
     "1:115: 'count' must be a whole number, not 2.5"},
    {"emitter without rate",
     "{'time': {'end': 1}, 'emitters': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}, 'radius': 0.1}]}",
     "1:35: 'emitters[0]' needs 'rate': a number or a formula"},
    {"emitter stops before it starts",
     "{'time': {'end': 1}, 'emitters': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 1]}}, 'radius': 0.1, "
     "'rate': 1,\n"
     " 'start': 2, 'stop': 1}]}",
     "2:22: 'stop' must be after 'start': 1 s is not after 2 s"},
    {"missing table",
     "{'time': {'end': 1}, 'tables': [{'name': 'bed',\n"
     "  'file': 'no/such/bed.csv'}]}",
     "2:11: cannot open the table 'no/such/bed.csv': No such file or directory"},
    {"table that is a directory", "{'time': {'end': 1}, 'tables': [{'file': '/'}]}",
     "1:42: the table '/' is not a file"},
    {"unknown thing to do when leaving",
     "{'time': {'end': 1}, 'domain': {'low': [0, 0, 0], 'high': [1, 1, 1], 'leave': 'reflect'}}",
     "1:79: 'leave' must be remove, keep or stop, not 'reflect'"},
    {"probe without name", "{'time': {'end': 1}, 'probes': [{'kind': 'energy'}]}",
     "1:33: 'probes[0]' needs 'name': text in quotes"},
    {"probe of unknown kind", "{'time': {'end': 1}, 'probes': [{'name': 'p', 'kind': 'enrgy'}]}",
     "1:55: 'kind' must be energy, region_mass, mass_flow, contact_count, body_force, body_state, "
     "body_count, active_box, sleeping, joint_force, joint_motion, motor, spring, coupling, tracked_vehicle, anchor, "
     "stress, packing or rig, "
     "not "
     "'enrgy'; did you mean 'energy'?"},
    {"probe of unknown body",
     "{'time': {'end': 1},\n"
     " 'bodies': [{'name': 'floor', 'kind': 'fixed', 'shapes': [{'plane': {}}]}],\n"
     " 'probes': [{'name': 'p', 'kind': 'body_force', 'body': 'flor'}]}",
     "3:57: there is no body 'flor'; did you mean 'floor'?"},
    {"probe with a key of another kind",
     "{'time': {'end': 1}, 'probes': [{'name': 'p', 'kind': 'energy', 'body': 'floor'}]}",
     "1:65: unknown key 'body'; the keys of 'probes[0]' are name, kind, comment"},
    {"two probes of one name",
     "{'time': {'end': 1}, 'probes': [{'name': 'p', 'kind': 'energy'},\n"
     " {'name': 'p', 'kind': 'energy'}]}",
     "2:11: there is another probe called 'p'; names must differ"},
    {"probe with zero normal",
     "{'time': {'end': 1}, 'probes': [{'name': 'p', 'kind': 'mass_flow', 'point': [0, 0, 0], 'normal': [0, 0, 0]}]}",
     "1:98: 'normal' must be a direction of length 1e-06 to 1e+06, not [0, 0, 0]"},
    {"checkpoints without pause", "{'time': {'end': 1}, 'output': {'checkpoint_minutes': 0}}",
     "1:55: 'checkpoint_minutes' must be above 0, not 0"},
    {"view from nowhere", "{'time': {'end': 1}, 'view': {'target': [0, 0, 0]}}",
     "1:30: 'view' needs 'eye': a camera has both 'eye' and 'target'"},
    {"view from the target", "{'time': {'end': 1}, 'view': {'eye': [1, 0, 0], 'target': [1, 0, 0]}}",
     "1:59: 'target' must differ from 'eye'"},
    {"colour bar upside down", "{'time': {'end': 1}, 'view': {'range': [1, 1]}}",
     "1:40: the upper end of 'range' must be above the lower one"},
    {"camera after nobody",
     "{'time': {'end': 1}, 'bodies': [{'name': 'ball', 'shapes': [{'sphere': {'radius': 1}}]}],\n"
     " 'view': {'follow': 'bal'}}",
     "2:21: there is no body 'bal'; did you mean 'ball'?"},
    {"camera back in time",
     "{'time': {'end': 1}, 'view': {'path': [{'time': 1, 'eye': [1, 0, 0], 'target': [0, 0, 0]},\n"
     " {'time': 1, 'eye': [2, 0, 0], 'target': [0, 0, 0]}]}}",
     "2:11: the times of a 'path' must grow, but 1 follows 1"},
    {"camera in two places",
     "{'time': {'end': 1}, 'view': {'eye': [1, 0, 0], 'target': [0, 0, 0],\n"
     " 'path': [{'time': 1, 'eye': [1, 0, 0], 'target': [0, 0, 0]}]}}",
     "2:10: a camera has a 'path', or an 'eye' and a 'target', not both"},
    {"forces that are not kept", "{'time': {'end': 1}, 'view': {'chains': true}}",
     "1:41: 'chains' shows the forces of contacts: frames hold them only if 'output' has 'contacts': true"},
    {"colour misspelt", "{'time': {'end': 1}, 'view': {'color': 'speed'}}",
     "1:31: unknown key 'color'; did you mean 'colour'?"},
};

static void every_mistake_has_its_place_and_sentence(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof bad_scenes / sizeof *bad_scenes; ++i) {
        const bad_scene *bad = &bad_scenes[i];
        scene *s;
        char *as_run;
        scr_error error = {.message = ""};
        scr_status status = read_quoted(bad->text, NULL, 0, &s, &as_run, &error);
        char expected[sizeof error.message];
        snprintf(expected, sizeof expected, "s.json:%s", bad->message);
        if (status == SCR_BAD_INPUT && error.status == SCR_BAD_INPUT && s == NULL && as_run == NULL &&
            says(&error, expected)) {
            continue;
        }
        print_error("in the scene with this mistake: %s\n", bad->what);
        ++wrong;
        scene_destroy(s);
        free(as_run);
    }
    assert_int_equal(wrong, 0);
}

// A scene that is mostly good, for the options below.
static const char *const heap = "{'parameters': {'grains': 10, 'width': 'grains/2'},\n"
                                " 'time': {'end': 1},\n"
                                " 'materials': {'glass': {}},\n"
                                " 'fills': [{'region': {'box': {'low': [0, 0, 0], 'high': [1, 1, 'width']}},\n"
                                "            'radius': 0.1, 'count': 'grains'}]}";

static void wrong_options_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *path, *value, *message;
    } wrong[] = {
        {"solver.max_iteratons", "50", "unknown key 'max_iteratons'; did you mean 'max_iterations'?"},
        {"solver.max_iterations", "0", "'max_iterations' must be from 1 to 1e+06, not 0"},
        {"solver.max_iterations", "abx+1",
         "in the formula of 'max_iterations': unknown name 'abx'; did you mean 'abs'?"},
        {"parameters.grain", "5", "the scene has no parameter 'grain'; did you mean 'grains'?"},
        {"materials.glas.density", "5", "the scene has no material 'glas'; did you mean 'glass'?"},
        {"materials.glass.densty", "5", "unknown key 'densty'; did you mean 'density'?"},
        {"fills.0.count", "-3", "'count' must be from 0 to 9.0072e+15, not -3"},
        {"fills.1.count", "3", "there is no entry 1: the list has 1, counted from 0"},
        {"fill.0.count", "3", "the scene has no list 'fill'; did you mean 'fills'?"},
        {"fills.x.count", "3", "expected the number of a list's entry, from 0, not 'x'"},
        {"fills.99999999999999999999", "3",
         "expected the number of a list's entry, from 0, not '99999999999999999999'"},
        {"bodies.0.mass", "3", "the scene has no list 'bodies'"},
        {"time.end.x", "3", "'end' is a number and has no 'x'"},
        {"time", "{'end': -1}", "'end' must be at least 0, not -1"},
        {"gravity", "[0, 0", "not valid JSON: ']' expected near end of file"},
        {"solver.a.b", "3",
         "unknown key 'a'; the keys of 'solver' are method, max_iterations, tolerance, warm_start, precision, omega, "
         "lambda, comment"},
        {"contact.law", "penalt", "'law' must be compliant, rigid or penalty, not 'penalt'; did you mean 'penalty'?"},
        {"a..b", "3", "a path is keys and numbers with points between them, as in fills.0.count"},
        {"solver.\xff", "3", "the path is not UTF-8 text"},
        {"solver.method", "\xff", "the value is not UTF-8 text"},
        {"", "3", "a path is keys and numbers with points between them, as in fills.0.count"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        scene *s;
        scr_error error = {.message = ""};
        char *value = with_quotes(wrong[i].value, '\'', '"');
        scene_override option = {wrong[i].path, value, NULL};
        assert_int_equal(read_quoted(heap, &option, 1, &s, NULL, &error), SCR_BAD_INPUT);
        char expected[2 * sizeof error.message];
        snprintf(expected, sizeof expected, "--set %s=%s: %s", wrong[i].path, wrong[i].value, wrong[i].message);
        assert_true(says(&error, expected));
        free(value);
    }
}

// The option is to blame only for what it changed.
static void other_mistakes_keep_their_place(void **state)
{
    (void)state;
    scene *s;
    scr_error error;
    scene_override options[] = {{"parameters.grains", "0", NULL}, {"time.end", "2", NULL}};
    assert_int_equal(read_quoted(heap, options, 2, &s, NULL, &error), SCR_BAD_INPUT);
    assert_true(
        says(&error, "s.json:4:58: 'high' must be above 'low' in x, y and z: [1, 1, 0] is not above [0, 0, 0]"));
}

// The last of several options for one key is the one that counts, and the one that is named.
static void the_last_option_wins(void **state)
{
    (void)state;
    scene *s;
    scr_error error;
    scene_override options[] = {{"time.end", "-1", NULL}, {"time.end", "-2", NULL}, {"time.end", "-3", NULL}};
    assert_int_equal(read_quoted(heap, options, 3, &s, NULL, &error), SCR_BAD_INPUT);
    assert_true(says(&error, "--set time.end=-3: 'end' must be at least 0, not -3"));
}

static void a_path_cannot_be_endless(void **state)
{
    (void)state;
    char path[20001] = "comment";
    while (strlen(path) < sizeof path - 3) strcat(path, ".a");
    scene *s;
    scr_error error;
    assert_int_equal(read_quoted(heap, &(scene_override){path, "1", NULL}, 1, &s, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, "the path is longer than any in a scene"));
}

// Jansson refuses depth beyond its limit; below it, nothing here may recurse without bound either.
static void depth_is_limited(void **state)
{
    (void)state;
    for (int depth = 1000; depth <= 1000000; depth *= 1000) {
        char *text = malloc(2 * (size_t)depth + 64), *end = text;
        end += sprintf(end, "{'time': {'end': 1}, 'comment': ");
        for (int i = 0; i < depth; ++i) *end++ = '[';
        if (depth == 1000) {
            for (int i = 0; i < depth; ++i) *end++ = ']';
            *end++ = '}';
        }
        *end = '\0';
        scene *s;
        char *as_run;
        scr_error error;
        scr_status status = read_quoted(text, NULL, 0, &s, &as_run, &error);
        if (depth == 1000) {
            assert_int_equal(status, SCR_OK);
            scene_destroy(s);
            free(as_run);
        } else {
            assert_int_equal(status, SCR_BAD_INPUT);
            assert_non_null(strstr(error.message, "maximum parsing depth reached"));
        }
        free(text);
    }
}

// Words of a user are cut and cleaned before they are shown, so that the message stays a sentence on one line.
static void messages_stay_short_and_on_one_line(void **state)
{
    (void)state;
    char text[3000] = "{'time': {'end': 1}, 'new\\nline";
    for (int i = 0; i < 800; ++i) strcat(text, "\xc3\xa4");
    strcat(text, "': 1}");
    scene *s;
    scr_error error;
    assert_int_equal(read_quoted(text, NULL, 0, &s, NULL, &error), SCR_BAD_INPUT);
    assert_null(strchr(error.message, '\n'));
    assert_true(strlen(error.message) < 500);
    assert_non_null(strstr(error.message, "\"new?line\xc3\xa4"));
    assert_non_null(strstr(error.message, "\xc3\xa4...\"; the keys of"));
}

static void missing_and_huge_files_are_refused(void **state)
{
    (void)state;
    scene *s;
    scr_error error;
    assert_int_equal(scene_read_file("/no/such/scene.json", NULL, 0, &s, NULL, &error), SCR_IO);
    assert_string_equal(error.message, "/no/such/scene.json: No such file or directory");
    assert_int_equal(scene_read_file("/", NULL, 0, &s, NULL, &error), SCR_IO);
    assert_string_equal(error.message, "/: Is a directory");

    char path[] = "/tmp/scree-scene-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (64 << 20) + 1), 0);
    assert_int_equal(scene_read_file(path, NULL, 0, &s, NULL, &error), SCR_BAD_INPUT);
    assert_non_null(strstr(error.message, ": the scene has more than 64 MiB; put its grains into tables"));
    close(file);
    unlink(path);
}

static void a_missing_error_is_fine(void **state)
{
    (void)state;
    scene *s;
    assert_int_equal(read_quoted("{'tiem': 1}", NULL, 0, &s, NULL, NULL), SCR_BAD_INPUT);
    assert_int_equal(read_quoted("{", NULL, 0, &s, NULL, NULL), SCR_BAD_INPUT);
    assert_int_equal(read_quoted(heap, &(scene_override){"x", "1", NULL}, 1, &s, NULL, NULL), SCR_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_has_its_place_and_sentence),
        cmocka_unit_test(wrong_options_are_named),
        cmocka_unit_test(other_mistakes_keep_their_place),
        cmocka_unit_test(the_last_option_wins),
        cmocka_unit_test(a_path_cannot_be_endless),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(messages_stay_short_and_on_one_line),
        cmocka_unit_test(missing_and_huge_files_are_refused),
        cmocka_unit_test(a_missing_error_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
