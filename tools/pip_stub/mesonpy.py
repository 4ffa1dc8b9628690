"""A stand-in for the build back end `mesonpy`, so that `pip download` of nanoarrow runs nothing.

Before pip hands over a source archive it asks the package's back end for name and version, and for that installs and
runs a whole build system (minutes). The archive already says both in its PKG-INFO, and nothing else is wanted here.
"""
import os
import re


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with open("PKG-INFO", encoding="utf-8") as file:
        text = file.read()
    name, version = (re.search(r"^%s: (\S+)" % key, text, re.M).group(1) for key in ("Name", "Version"))
    folder = "%s-%s.dist-info" % (name, version)
    os.makedirs(os.path.join(metadata_directory, folder), exist_ok=True)
    with open(os.path.join(metadata_directory, folder, "METADATA"), "w", encoding="utf-8") as file:
        file.write(text)
    return folder


def build_wheel(*args, **kwargs):
    raise SystemExit("tools/pip_stub builds nothing")


build_sdist = build_wheel
