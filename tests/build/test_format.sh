#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `make format` would change nothing, and no line of a source file is longer than 120 columns.
set -euo pipefail
command -v clang-format > /dev/null || { echo "there is no clang-format here"; exit 77; }
mapfile -t files < <(find include src tests bench examples -name '*.[ch]')
clang-format --dry-run --Werror "${files[@]}"
awk 'length > 120 { print FILENAME ":" FNR ": " length " columns"; wrong = 1 } END { exit wrong }' "${files[@]}"
echo "${#files[@]} files"
