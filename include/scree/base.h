// SPDX-License-Identifier: BSD-3-Clause
// What every part of the interface shares: status and error sentences, vectors, quaternions.
//
// Units are SI. Axes: z up, x forward, y left. Quaternions are (w, x, y, z) and rotate body vectors into the world.
//
// Errors. A call that can fail returns a status and fills an error that may be NULL. Bad input never crashes and never
// changes a world; handles are checked. What a call returns by value, for a handle or an index that is none, is all
// zero.
//
// Ownership. What is passed in is copied before a call returns, unless its comment says otherwise; what is passed out
// by pointer belongs to the object it came from, and its comment says how long it is valid.
//
// Threads. A world is stepped and changed by one thread at a time. Calls that take a `const scr_world *` read: any
// number of threads may make them at the same time, as long as none makes another call on that world. Different worlds
// have nothing in common. Functions without a world may be called from any thread.
#ifndef SCREE_BASE_H
#define SCREE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCR_API __attribute__((visibility("default")))

/// The version of these headers; docs/library.md says what may change with which number.
#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 1
#define SCREE_VERSION_PATCH 0

/// How a call ended. Anything but SCR_OK leaves the world as it was before the call.
typedef enum scr_status {
    SCR_OK = 0,
    SCR_BAD_INPUT,    ///< a definition, a scene or a handle is wrong: the message names the field
    SCR_IO,           ///< a file or directory could not be read or written
    SCR_NO_MEMORY,    ///< an allocation failed
    SCR_DIVERGED,     ///< the run is not physical any more: the message names step and body
    SCR_INTERRUPTED,  ///< somebody asked to stop
} scr_status;

/// Why a call failed, as a sentence a person can act on. Pass NULL where it does not matter.
typedef struct scr_error {
    scr_status status;
    char message[1024];
} scr_error;

/// A vector; its unit is said where it is used.
typedef struct scr_vec3 {
    double x, y, z;
} scr_vec3;

/// A rotation, as a quaternion. Those that are passed in need not be of unit length, but not zero.
typedef struct scr_quat {
    double w, x, y, z;
} scr_quat;

/// Where a frame is: its origin and its axes.
typedef struct scr_pose {
    scr_vec3 position;  ///< m
    scr_quat rotation;
} scr_pose;

/// The version of the library that is running, "0.1.0". That of the headers is in SCREE_VERSION_MAJOR and its kin.
SCR_API const char *scr_version(void);

#ifdef __cplusplus
}
#endif

#endif
