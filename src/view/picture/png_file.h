// SPDX-License-Identifier: BSD-3-Clause
// PNG files: a picture of Cairo's with what Cairo does not write, its size on paper and who made it.
#ifndef VIEW_PICTURE_PNG_FILE_H
#define VIEW_PICTURE_PNG_FILE_H

#include <cairo.h>
#include <stdio.h>

// dpi: pixels an inch; 0: the file does not say. The caller closes the file; errno may say why it failed.
cairo_status_t png_write(cairo_surface_t *surface, double dpi, FILE *file);

#endif
