# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints dependency cycles between sibling modules of a crate: `check-circles.py SOURCES...`, one source folder per crate.

A parent and a child may use each other. A re-exported name belongs to the module that defines the item. Comments and
the tests at the end of a file are ignored.
"""

import os
import re
import sys
from collections import defaultdict


def code(text):
    """Returns the text of a file without comments and tests."""
    return re.sub(r"//[^\n]*", "", text).split("#[cfg(test)]\nmod ")[0]


def modules(folder):
    """Returns the code of each module, by its path in the crate."""
    found = {}
    for directory, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".rs"):
                path = os.path.relpath(os.path.join(directory, name), folder)[:-3]
                module = () if path in ("lib", "main") else tuple(path.split(os.sep))
                with open(os.path.join(directory, name), encoding="utf-8") as file:
                    found[module] = code(file.read())
    return found


def leaves(tree, before=()):
    """Yields the paths of a `use` declaration."""
    tree = tree.strip()
    group = re.fullmatch(r"((?:\w+::)*)\{(.*)\}", tree, re.S)
    if not group:
        yield before + tuple(re.sub(r"\s+as\s+\w+$", "", tree).split("::"))
        return
    before += tuple(word for word in group[1].split("::") if word)
    depth, start = 0, 0
    for at, letter in enumerate(group[2] + ","):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            if group[2][start:at].strip():
                yield from leaves(group[2][start:at], before)
            start = at + 1


def paths(module, text, found):
    """Yields the absolute paths that a module names, each with True if the module re-exports it."""
    use = r"(pub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);"
    named = [(leaf, bool(match[1])) for match in re.finditer(use, text) for leaf in leaves(match[2])]
    rest = re.sub(use, "", text)
    named += [(tuple(path.split("::")), False) for path in re.findall(r"\b(?:crate|super|self)(?:::\w+)+", rest)]
    for path, is_public in named:
        if path[0] == "crate":
            yield path[1:], is_public
        elif path[0] in ("self", "super"):
            base, path = module, path[path[0] == "self" :]
            while path and path[0] == "super":
                base, path = base[:-1], path[1:]
            yield base + path, is_public
        elif module + path[:1] in found:
            yield module + path, is_public


def defining(path, found, reexports):
    """Returns the module that defines the item of a path."""
    for _ in range(16):
        module = next(path[:n] for n in range(len(path), -1, -1) if path[:n] in found)
        name = path[len(module) : len(module) + 1]
        target = reexports[module].get(name[0]) if name else None
        if target in (None, path):
            break
        path = target + path[len(module) + 1 :]
    return module


def uses(found):
    """Returns the siblings that each module uses, by folder."""
    named = {module: list(paths(module, text, found)) for module, text in found.items()}
    reexports = {module: {path[-1]: path for path, public in of if public and path} for module, of in named.items()}
    siblings = defaultdict(lambda: defaultdict(set))
    for module, of in named.items():
        for path, _ in of:
            target = defining(path, found, reexports)
            common = len(os.path.commonprefix([module, target]))
            if common < min(len(module), len(target)):
                siblings[module[:common]][module[common]].add(target[common])
    return siblings


def reached(start, graph):
    """Returns all modules that a module uses, directly or indirectly."""
    seen, left = set(), [start]
    while left:
        for target in graph.get(left.pop(), ()):
            if target not in seen:
                seen.add(target)
                left.append(target)
    return seen


for sources in sys.argv[1:]:
    for folder, graph in sorted(uses(modules(sources)).items()):
        below = {module: reached(module, graph) for module in list(graph)}
        circle = sorted(module for module in below if module in below[module])
        for module in circle:
            for target in sorted(graph[module]):
                if module in below.get(target, ()):
                    print("/".join([sources, *folder]) + f": {module} uses {target}, which uses {module} directly or indirectly")
