// SPDX-License-Identifier: BSD-3-Clause
// How pictures of a run look: words and defaults.
#include "core/base/memory.h"
#include "scene/model/scene.h"

const char *const COLOUR_WORDS[COLOUR_BY_COUNT] = {
    [COLOUR_BODY] = "body",         [COLOUR_RADIUS] = "radius", [COLOUR_SPEED] = "speed",
    [COLOUR_MATERIAL] = "material", [COLOUR_FORCE] = "force",   [COLOUR_DISPLACEMENT] = "displacement",
    [COLOUR_GROUP] = "group"};
const char *const COLOUR_MAP_WORDS[MAP_COUNT] = {
    [MAP_SCREE] = "scree",     [MAP_VIRIDIS] = "viridis", [MAP_CIVIDIS] = "cividis",
    [MAP_INFERNO] = "inferno", [MAP_MAGMA] = "magma",     [MAP_EARTH] = "earth"};

static const double FIELD_OF_VIEW = 28.0;  // degrees: a long lens; walls stay nearly parallel

scene_view scene_default_view(void)
{
    return (scene_view){.field_of_view = FIELD_OF_VIEW, .ground = true, .captions = true};
}

void scene_view_free(scene_view *view)
{
    scr_free(view->path);
    view->path = NULL;
    view->path_count = 0;
}
