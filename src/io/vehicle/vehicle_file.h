// SPDX-License-Identifier: BSD-3-Clause
// Vehicle files: JSON, as docs/vehicles.md says.
#ifndef IO_VEHICLE_VEHICLE_FILE_H
#define IO_VEHICLE_VEHICLE_FILE_H

#include <jansson.h>

#include "vehicle/tracked/tracked.h"

// What a part is made of and looks like, in the words of scenes. They belong to the file's tree; NULL: not said.
typedef struct part_look {
    const char *material;
    json_t *appearance;
    json_t *shapes;  // instead of those that scree would make of its figures
} part_look;

extern const char *const ENGAGEMENT_WORDS[ENGAGEMENT_COUNT];  // "contact"

typedef struct vehicle_file {
    json_t *root;  // the tree; owned
    const char *title;
    tracked_vehicle tracked;
    json_t *materials;  // name -> definition
    part_look chassis, sprocket, idler, shoes, road_wheel[ROAD_WHEELS_MAX], top_roller[TOP_ROLLERS_MAX];
} vehicle_file;

// Free it also after a failure.
scr_status vehicle_file_read(const char *path, vehicle_file *file, scr_error *error);
// A text that is in memory; path: for messages.
scr_status vehicle_file_read_text(const char *text, size_t length, const char *path, vehicle_file *file,
                                  scr_error *error);
void vehicle_file_free(vehicle_file *file);

#endif
