"""Expands xacro files with the Python package `xacro` and with jourdain, and compares the results as canonical XML.

    python suite/peers/compare_xacro.py [--jourdain target/release/jourdain] [FOLDER|FILE ...]

Without folders: all files of the installed package `rtb-data`. A package that `$(find ...)` asks for is the folder of that
name below the folders given, `_support` taken off or `_description` put on where there is none; jourdain gets the same by
--package, and is asked again without.
Exit code 1 if a file differs.
"""

import argparse
import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import types
from pathlib import Path
from xml.etree import ElementTree

import xacro


class Packages:
    """Folders by their names, and the ones that were asked for."""

    def __init__(self, roots):
        self.folders = {}
        for root in roots:
            for folder, names, _ in os.walk(root):
                for name in sorted(names):
                    self.folders.setdefault(name, os.path.join(folder, name))
        self.asked = {}

    def find(self, name):
        for known in (name, name.removesuffix("_support"), name + "_description"):
            if known in self.folders:
                self.asked[name] = self.folders[known]
                return self.folders[known]
        raise LookupError(f"no package {name}")


def offer(packages):
    """Stands in for the index of ROS 2."""
    index = types.ModuleType("ament_index_python.packages")
    index.get_package_share_directory = packages.find
    sys.modules["ament_index_python"] = types.ModuleType("ament_index_python")
    sys.modules["ament_index_python.packages"] = index


def canonical(text):
    return ElementTree.canonicalize(text, strip_text=True)


def by_xacro(path):
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            document = xacro.process_file(str(path), mappings={}, verbosity=0)
        return canonical(document.toxml()), ""
    except Exception as error:  # the package raises exceptions of every kind
        return None, " ".join(str(error).split())[:60]


def by_jourdain(command, path, packages):
    options = [word for name, folder in packages.items() for word in ("--package", f"{name}={folder}")]
    done = subprocess.run([command, "expand", str(path), "--quiet", *options], capture_output=True, text=True)
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        return None, " ".join(lines)[:60]
    return canonical(done.stdout), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jourdain", default="target/release/jourdain")
    parser.add_argument("places", nargs="*", type=Path)
    options = parser.parse_args()
    places = options.places
    if not places:
        found = importlib.util.find_spec("rtbdata")
        if found is None:
            sys.exit("the package rtb-data is not installed: name a folder")
        places = [Path(found.submodule_search_locations[0])]
    roots = [place if place.is_dir() else place.parent for place in places]
    packages = Packages(roots)
    offer(packages)
    files = [file for place in places for file in (sorted(place.rglob("*.xacro")) if place.is_dir() else [place])]
    counts = {"same": 0, "both refuse": 0, "differs": 0, "only xacro": 0, "only jourdain": 0}
    alone = 0
    for file in files:
        packages.asked.clear()
        expected, why_not = by_xacro(file)
        found, why_not_ours = by_jourdain(options.jourdain, file, dict(packages.asked))
        if expected is None and found is None:
            verdict = "both refuse"
        elif found is None:
            verdict = "only xacro"
        elif expected is None:
            verdict = "only jourdain"
        else:
            verdict = "same" if expected == found else "differs"
        counts[verdict] += 1
        unaided, _ = by_jourdain(options.jourdain, file, {})
        alone += expected is not None and unaided == expected
        name = file.relative_to(next(root for root in roots if file.is_relative_to(root)))
        print(f"{verdict:14} {str(name):75} {why_not or why_not_ours}")
    print()
    for verdict, count in counts.items():
        print(f"{count:5} {verdict}")
    print(f"{alone:5} the same without --package")
    return counts["differs"] + counts["only xacro"] > 0


if __name__ == "__main__":
    sys.exit(main())
