// What every part of the interface shares: status and error sentences, vectors, quaternions.
//
// Units are SI. Axes: z up, x forward, y left. Quaternions are (w, x, y, z) and rotate body vectors into the world.
#ifndef SCREE_BASE_H
#define SCREE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCR_API __attribute__((visibility("default")))

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

typedef struct scr_vec3 { double x, y, z; } scr_vec3;
typedef struct scr_quat { double w, x, y, z; } scr_quat;

SCR_API const char *scr_version(void);  ///< "0.1.0"

#endif
