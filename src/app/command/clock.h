// SPDX-License-Identifier: BSD-3-Clause
// A clock for progress: seconds since some moment, which never goes back.
#ifndef APP_COMMAND_CLOCK_H
#define APP_COMMAND_CLOCK_H

double clock_now(void);

#endif
