// SPDX-License-Identifier: BSD-3-Clause
// The taut loop of a track round its wheels.
//
// Going round counter-clockwise with heading a, the path touches a circle where the outward normal is
// n = (sin a, -cos a). The outer tangent from circle i to circle j, which is D away in direction b, has
//   n . (c_j - c_i) = r_i - r_j,   so   sin(a - b) = (r_i - r_j) / D
// The next circle of the hull is the one whose tangent needs the least turn.
#include "vehicle/track/track_path.h"

#include <math.h>
#include <stdbool.h>

#include "core/base/status.h"
#include "core/maths/trig.h"

static const double FULL_TURN = 6.283185307179586;
static const double NO_TURN = 1e-9;       // rad: tangents that follow each other in one line
static const double LONGEST_CHORD = 2.0;  // of a step's path: a chord across a half turn is shorter by pi/2
enum { BISECTIONS = 60 };

static double turned(double angle)  // into 0 .. a full turn, with rounding below 0 taken for none
{
    double a = fmod(angle, FULL_TURN);
    if (a < 0.0) a += FULL_TURN;
    return a > FULL_TURN - NO_TURN ? 0.0 : a;
}

typedef struct tangent {
    int to;
    double turn;    // rad, from the present heading
    double length;  // m, of the straight
} tangent;

// The tangent from a circle to another, or false if one lies within the other.
static bool find_tangent(const track_circle *from, const track_circle *to, double heading, tangent *found)
{
    double dx = to->centre.x - from->centre.x, dz = to->centre.z - from->centre.z, fall = from->radius - to->radius;
    double square = dx * dx + dz * dz - fall * fall;
    if (!(square > 0.0)) return false;
    found->length = sqrt(square);
    found->turn = turned(scr_atan2(dz, dx) + scr_atan2(fall, found->length) - heading);
    return true;
}

static bool next_tangent(const track_circle *circles, int count, int from, double heading, tangent *next)
{
    bool has_one = false;
    for (int to = 0; to < count; ++to) {
        tangent found = {.to = to};
        if (to == from || !find_tangent(&circles[from], &circles[to], heading, &found)) continue;
        bool is_better = !has_one || found.turn < next->turn - NO_TURN ||
                         (found.turn <= next->turn + NO_TURN && found.length > next->length);
        if (is_better) *next = found;
        has_one = true;
    }
    return has_one;
}

static int lowest_circle(const track_circle *circles, int count)
{
    int lowest = 0;
    for (int k = 1; k < count; ++k)
        if (circles[k].centre.z - circles[k].radius < circles[lowest].centre.z - circles[lowest].radius) lowest = k;
    return lowest;
}

static void add_piece(track_path *path, track_piece piece)
{
    piece.beginning = path->length;
    path->length += piece.arc * path->circle[piece.circle].radius + piece.straight;
    path->piece[path->piece_count++] = piece;
}

scr_status track_path_make(const track_circle *circles, int count, track_path *path, scr_error *error)
{
    *path = (track_path){0};
    for (int k = 0; k < count; ++k) path->circle[k] = circles[k];
    const int start = lowest_circle(circles, count);
    int at = start;
    double heading = 0.0;
    while (path->piece_count < 2 * TRACK_WHEELS_MAX) {
        tangent next = {0};
        if (!next_tangent(circles, count, at, heading, &next)) break;
        if (heading + next.turn > FULL_TURN - NO_TURN) {  // round once: to the lowest point of the first circle
            tangent last = {.to = start};
            if (at != start) find_tangent(&circles[at], &circles[start], heading, &last);
            add_piece(path, (track_piece){at, heading, FULL_TURN - heading, last.length, 0.0});
            return SCR_OK;
        }
        add_piece(path, (track_piece){at, heading, next.turn, next.length, 0.0});
        heading += next.turn;
        at = next.to;
    }
    return scr_fail(error, SCR_BAD_INPUT, "one wheel is so large that the track touches no other");
}

track_point track_path_at(const track_path *path, double along)
{
    double s = fmod(along, path->length);
    if (s < 0.0) s += path->length;
    int k = path->piece_count - 1;
    while (k > 0 && path->piece[k].beginning > s) --k;
    const track_piece *piece = &path->piece[k];
    const track_circle *circle = &path->circle[piece->circle];
    double into = s - piece->beginning, arc = piece->arc * circle->radius, sine, cosine;
    double straight = into > arc ? into - arc : 0.0;
    scr_sincos(piece->heading + (into < arc ? into / circle->radius : piece->arc), &sine, &cosine);
    return (track_point){circle->centre.x + circle->radius * sine + straight * cosine,
                         circle->centre.z - circle->radius * cosine + straight * sine};
}

double track_path_step(const track_path *path, double from, double distance)
{
    track_point here = track_path_at(path, from);
    double near = from, far = from + LONGEST_CHORD * distance;
    for (int k = 0; k < BISECTIONS; ++k) {
        double middle = 0.5 * (near + far);
        track_point there = track_path_at(path, middle);
        bool is_near = hypot(there.x - here.x, there.z - here.z) < distance;
        *(is_near ? &near : &far) = middle;
    }
    return 0.5 * (near + far);
}
