// SPDX-License-Identifier: BSD-3-Clause
// The parts of a vehicle file, each read by a function of its own. Internal to the reader.
#ifndef IO_VEHICLE_VEHICLE_READING_H
#define IO_VEHICLE_VEHICLE_READING_H

#include "io/json/json_cursor.h"
#include "io/vehicle/vehicle_file.h"

// "material", which is needed if the file has several, "appearance" and "shapes" of a part.
part_look read_part_look(json_cursor *at, const vehicle_file *file);
void read_shoes(json_cursor *root, vehicle_file *file);
// Sprocket, idler and tensioner, road wheels with their arms, top rollers; shoes are known.
void read_wheels(json_cursor *root, vehicle_file *file);

#endif
