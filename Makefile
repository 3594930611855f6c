# SPDX-License-Identifier: BSD-3-Clause
# The front door. CMake does the work behind it: CMakePresets.json says what each build is.
PREFIX ?= /usr/local
export FUZZ_SECONDS ?= 60
SCREE := build/release/bin/scree

help:  ## this list (the default)
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "    make %-18s%s\n", $$1, $$2 }' Makefile

demo: build  ## build scree, drive a tracked robot over gravel and draw it (under three minutes after the build)
	mkdir -p out
	$(SCREE) run scenes/robot/gravel.json -o out/robot --force
	$(SCREE) render out/robot -o out/robot.png
	@echo "The picture is out/robot.png, the run is in out/robot; its mobility table stands above, under \"vehicle\"."

build: setup-build build/release/build.ninja  ## the optimised library and command, in build/release
	cmake --build --preset release --target scree_command scree_manual scree_shared scree_static

test: setup-test check-release  ## all tests of the optimised build (a few minutes)

long: setup-test build/release/build.ninja  ## the tests that take long, whole (some ten minutes)
	cmake --build --preset release
	SCREE_LONG=1 ctest --preset release -L long

debug asan tsan: %: setup-test check-%  ## the tests with asserts; plus address, or thread, sanitizer

fuzz: setup-test check-fuzz  ## invented input for every reader, each for FUZZ_SECONDS (60)

faults: setup-test build/release/build.ninja  ## thousands of faults on purpose: kills, failing calls, full disks, damaged files (some minutes)
	cmake --build --preset release --target faults

bench: setup-bench build/release/build.ninja  ## the benchmarks, on a quiet machine
	cmake --build --preset release --target bench

solver-table: setup-test build/release/build.ninja  ## docs/solver_table.md: every solver on every bed, on a quiet machine (a quarter of an hour)
	cmake --build --preset release --target bench_solver_table bench_processes
	build/release/bin/bench_solver_table > docs/solver_table.tmp && mv docs/solver_table.tmp docs/solver_table.md

study: build setup-study  ## the silo's flow against Beverloo's law, over five orifices (several minutes)
	scenes/silo/beverloo.py --scree $(SCREE) --out out/beverloo

soil: build  ## the studies of docs/validation_soil.md, at published sizes; goes on where it was stopped (many hours)
	scripts/validate_soil --scree $(SCREE)

gallery: build setup-gallery  ## runs the scenes of docs/gallery.md, small versions all, and draws its pictures (some ten minutes)
	scripts/gallery --scree $(SCREE)

install: build  ## to PREFIX (/usr/local), under DESTDIR if given
	cmake --install build/release --prefix $(PREFIX)
	$(if $(DESTDIR),,-[ "$$(id -u)" -ne 0 ] || ldconfig)

format: setup-format  ## lay out all C sources as .clang-format says
	find include src tests bench examples -name '*.[ch]' | xargs clang-format -i

docs: setup-docs  ## the reference of the library, from its headers, in out/reference
	mkdir -p out
	doxygen docs/Doxyfile
	@echo "The reference is out/reference/index.html."

clean:  ## remove build/ and out/
	rm -rf build out

setup-%:
	@scripts/setup $*

# Ninja runs cmake again by itself when a CMakeLists.txt changes, but it does not know of the presets.
build/%/build.ninja: CMakePresets.json
	cmake --preset $*
	@touch $@

# ctest's summary is not always its last line (a list of skipped tests may follow): say it again at the end.
check-%: build/%/build.ninja
	cmake --build --preset $*
	@ctest --preset $* --output-log build/$*/ctest.log; status=$$?; \
	grep 'tests passed' build/$*/ctest.log; exit $$status

.NOTPARALLEL:  # set-up comes before everything else, even with make -j; Ninja and ctest run in parallel by themselves
.SECONDARY:
.PHONY: help demo build test long debug asan tsan fuzz faults bench solver-table study soil gallery install format clean
