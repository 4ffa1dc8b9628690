# A thin front for meson, ninja and the programs in tools/.
#
#   make             build/nilas                        make test            all tests, some two minutes
#   make demo        set up, build, show what it does   make test T=scan     only tests with scan in their path
#   make setup       install and fetch what is missing  make check-all       what CI runs, and the whole corpus by PySpark
#   make fuzz T=avro [SECONDS=600]                      make bench           speed, beside the peers installed
#   make install [PREFIX=/usr/local]                    make format clean
#
# B=build-NAME uses another build folder, so that two people do not wait for each other; tools/build knows the names.
B ?= build
SECONDS ?= 60
export PREFIX

.PHONY: build demo setup test check-all bench fuzz install format tidy rooms clean
.DEFAULT_GOAL := build

build:
	@tools/build $(B)

setup:
	@tools/setup

demo: setup build
	@tools/demo $(B)/nilas

test:
	@tools/run_tests.py --build $(B) $(T)

check-all:
	@NILAS_CONNECT_AREAS=all .ci/run

bench: build
	@bench/run $(T)

fuzz:
	@tools/fuzz "$(T)" $(SECONDS)

install:
	@tools/build build-release all
	@tools/build build-release install

format:
	@git ls-files 'src/*.[ch]' 'include/*.h' 'test/*.[ch]' | xargs -r clang-format -i

tidy:
	@tools/tidy.py

rooms:
	@tools/rooms.py

clean:
	@rm -rf build build-*
