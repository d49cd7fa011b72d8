#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks that prose stays plain: check-prose.py [ROOT].

Counts habits that make English hard to read in Markdown, comments and messages of Rust sources. Exits with 1 if a count
exceeds its limit.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

OPENING = "docs that open with What, Whether, Where, Who, How, Why or Which, in percent"
# Pattern and limit per 1000 words.
WORDS = {
    "nobody, somebody, whoever, whatever, anybody, everybody, anything that, everything that": (
        r"\b(nobody|somebody|whoever|whatever|anybody|everybody|anything that|everything that)\b", 0.3),
    "what": (r"\bwhat\b", 2.0),
    "behind": (r"\bbehind\b", 0.1),
}
MAX_OPENINGS = 6.0


def blocks(text):
    """Doc comments of a Rust file, each as one string, and its other comments and longer string literals."""
    docs, others, current = [], [], []
    for line in text.splitlines() + [""]:
        bare = line.strip()
        if bare.startswith(("///", "//!")):
            current.append(bare[3:].strip())
            continue
        if current:
            docs.append(" ".join(current).strip())
            current = []
        if bare.startswith("//"):
            others.append(bare[2:])
        else:
            literals = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
            others += [literal for literal in literals if len(literal.split()) >= 4]
    return docs, others


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    listed = subprocess.run(["git", "-C", root, "ls-files", "*.rs", "*.md"], capture_output=True, text=True, check=True)
    n_docs, n_words, counts, places = 0, 0, Counter(), {}
    for name in listed.stdout.split("\n")[:-1]:
        text = (root / name).read_text(encoding="utf-8")
        if name.endswith(".md"):
            prose = re.sub(r"```.*?```", " ", text, flags=re.DOTALL)
        else:
            docs, others = blocks(text)
            n_docs += len(docs)
            openings = sum(bool(re.match(r"(What|Whether|Where|Who|Whom|Whose|How|Why|Which)\b", doc)) for doc in docs)
            counts[OPENING] += openings
            places.setdefault(OPENING, Counter())[name] += openings
            prose = " ".join(docs + others)
        n_words += len(prose.split())
        for word, (pattern, _) in WORDS.items():
            found = len(re.findall(pattern, prose, flags=re.IGNORECASE))
            counts[word] += found
            places.setdefault(word, Counter())[name] += found
    rates = {OPENING: (100 * counts[OPENING] / max(n_docs, 1), MAX_OPENINGS)}
    rates |= {word: (1000 * counts[word] / max(n_words, 1), limit) for word, (_, limit) in WORDS.items()}
    print(f"{n_docs} doc comments, {n_words} words")
    for name, (rate, limit) in rates.items():
        print(f"{rate:6.2f} of at most {limit:4.1f}: {name}")
        if rate > limit:
            print("  most in " + ", ".join(f"{place} ({n})" for place, n in places[name].most_common(5)))
    sys.exit(any(rate > limit for rate, limit in rates.values()))


main()
