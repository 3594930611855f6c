// What a scene builds, counted: for scree check and scree info.
#ifndef APP_SCENE_CENSUS_H
#define APP_SCENE_CENSUS_H

#include <stdio.h>

#include "scene/simulation.h"

// The definitions of a scene, as they are written: "2 materials, 3 bodies, 1 fill, ...".
void print_scene_parts(FILE *out, const scene *s);

#endif
