// SPDX-License-Identifier: BSD-3-Clause
// The whole interface.
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include "scree/base.h"
#include "scree/body.h"
#include "scree/contact.h"
#include "scree/detect.h"
#include "scree/joint.h"
#include "scree/material.h"
#include "scree/problem.h"
#include "scree/query.h"
#include "scree/save.h"
#include "scree/shape.h"
#include "scree/surface.h"
#include "scree/world.h"

#endif
