// SPDX-License-Identifier: BSD-3-Clause
// A run as scenes for POV-Ray: a scene.pov with camera, light and ground as in our own pictures, one file of bodies a
// frame that it includes, and a scene.ini that renders all frames.
//
// A prepared scene may take the place of ours: the line in it that says POVRAY_MARKER is replaced by what includes the
// bodies. z is up and the axes are right-handed, as in scree: a camera needs `sky z` and a negative `right`.
#ifndef VIEW_RENDER_POVRAY_H
#define VIEW_RENDER_POVRAY_H

#include "view/render/survey.h"

#define POVRAY_MARKER "//SCREE"

typedef struct povray_series povray_series;

scr_status povray_check_prepared(const char *text, scr_error *error);  // does it have the marker?
// prepared: the text of a scene with the marker; NULL: our own.
scr_status povray_begin(const char *directory, const char *prepared, const survey *seen, const render_options *o,
                        povray_series **series, scr_error *error);
scr_status povray_add(povray_series *series, int64_t number, const frame *f, scr_error *error);
scr_status povray_end(povray_series *series, scr_status status, scr_error *error);

#endif
