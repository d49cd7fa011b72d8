#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints the licences of the crates that are linked into the command, with their texts and notices:

    scripts/notices.py TARGET >NOTICES

TARGET is the platform of the command, for example x86_64-unknown-linux-gnu. Names and licences are from `cargo
metadata`, texts from the packages. A text that several crates share is printed once.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

COMMAND = "lbaf"
HEADER = """\
The command lbaf (MIT OR Apache-2.0) contains work of others.

If it is linked statically, it contains the GNU C Library (LGPL-2.1-or-later, https://www.gnu.org/software/libc/); the
archive lbaf-VERSION.tar.gz beside it has all sources that are needed to link it with another version of that library.
It contains the standard library of Rust (MIT OR Apache-2.0, https://www.rust-lang.org/) and the font Liberation Sans
(SIL Open Font License 1.1, https://github.com/liberationfonts/liberation-fonts).

Crates that are linked into it, with their licences:
"""
FILE_OF_TEXT = re.compile(r"(licen[cs]e|copying|notice|copyright|unlicense)", re.IGNORECASE)


def metadata(target):
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def linked(metadata):
    """Returns the packages from crates.io that are linked into the command, sorted by name and version."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    is_macro = lambda package: any("proc-macro" in target["kind"] for target in package["targets"])
    waiting = [id for id in metadata["workspace_members"] if packages[id]["name"] == COMMAND]
    seen = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            id = dependency["pkg"]
            is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_normal and id not in seen and not is_macro(packages[id]):
                seen.add(id)
                waiting.append(id)
    foreign = [packages[id] for id in seen if packages[id]["source"]]
    return sorted(foreign, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """Returns the licence texts and notices of a package."""
    directory = Path(package["manifest_path"]).parent
    files = sorted(path for path in directory.iterdir() if path.is_file() and FILE_OF_TEXT.match(path.name))
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def main():
    packages = linked(metadata(sys.argv[1]))
    if not packages:
        sys.exit(f"no crate is linked into {COMMAND}")
    print(HEADER)
    font = Path(__file__).parent.parent / "crates/lbaf-plot/fonts/LICENSE-OFL"
    of_text = {font.read_text(encoding="utf-8").strip(): ["Liberation Sans"]}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        found = texts(package)
        print(f"- {name}: {package['license']}{'' if found else ' (the package has no licence text)'}")
        for text in found:
            of_text.setdefault(text, []).append(name)
    for text, names in of_text.items():
        print(f"\n{'=' * 80}\n{', '.join(names)}\n{'=' * 80}\n\n{text}")


if __name__ == "__main__":
    main()
