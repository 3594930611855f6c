// SPDX-License-Identifier: BSD-3-Clause
// The page of reports, as it was bundled from web/ when scree was built.
#ifndef APP_REPORT_REPORT_PAGE_H
#define APP_REPORT_REPORT_PAGE_H

const char *report_page_text(void);  // HTML; "" if it could not be made

#endif
