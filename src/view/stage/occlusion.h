// SPDX-License-Identifier: BSD-3-Clause
// Which walls occlude the grains.
//
// A plate does as soon as it hides a few grains, a bulky body only if it hides a large part, and neither if there are
// grains right in front of it too: the wall of a bin does, an obstacle or a blade amid the grains does not.
#ifndef VIEW_STAGE_OCCLUSION_H
#define VIEW_STAGE_OCCLUSION_H

#include "io/trajectory/frame.h"
#include "view/colour/vec3f.h"

// Is this box between the eye and the grains of the frame?
bool occludes_grains(const frame *f, const frame_shape *box, vec3f eye);

#endif
