# SPDX-License-Identifier: MIT OR Apache-2.0
"""Kills `lbaf run` before a given system call while it replaces a result, and checks the files afterwards.

The old or the new result must be complete. Otherwise readers must end with exit code 4, and the next command that
writes there must restore the old result from a journal. Files are compared byte by byte, except timings.json.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LBAF, N_KILLS = sys.argv[1], int(sys.argv[2])
STRIDE = 61
CALLS = "rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,fsync,openat,write,ftruncate"
SPEC = """from_samplers:
  n_ranks: 6
  n_objects: 60
  load_sampler: {name: uniform, parameters: [0, 1]}
"""
RUN = """from_data: {{data_stem: data}}
algorithm: {{name: {strategy}}}
output_dir: out
write_JSON: {{compressed: false, suffix: {suffix}}}
plots: {{formats: [svg], charts: [{charts}]}}
"""
OLD = RUN.format(strategy="RotateLB", suffix="json", charts="rank_loads")
NEW = RUN.format(strategy="Greedy", suffix="vom", charts="load_histogram")


def lbaf(directory, *arguments):
    return subprocess.run([LBAF, *arguments], cwd=directory, capture_output=True, text=True)


def succeed(directory, *arguments):
    ended = lbaf(directory, *arguments)
    assert ended.returncode == 0, (arguments, ended.stderr)


def result(out):
    """Returns the files of a directory, without clock times and hidden files."""
    paths = [path for path in out.rglob("*") if path.is_file()]
    names = {str(path.relative_to(out)): path for path in paths}
    return {
        name: path.read_bytes()
        for name, path in names.items()
        if not name.startswith(".lbaf-") and name != "timings.json"
    }


def prepare(directory, foreign):
    """Creates the old result, the data, and a foreign file if requested."""
    directory.mkdir()
    (directory / "spec.yaml").write_text(SPEC)
    (directory / "old.yaml").write_text(OLD)
    (directory / "new.yaml").write_text(NEW)
    succeed(directory, "make", "--plain", "spec.yaml", "data")
    succeed(directory, "run", "old.yaml", "--quiet")
    if foreign:
        (directory / "out" / "foreign.txt").write_text("foreign")


def traced(directory, *options):
    command = ["strace", "-f", "-qq", "-o", "../trace", "-e", f"trace={CALLS}", *options]
    command += [LBAF, "run", "new.yaml", "--quiet", "--threads", "1"]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True)


def changes(trace):
    """Returns calls that change the file system, as (name, number among the calls of this name in its thread)."""
    numbers = collections.Counter()
    found = []
    for line in trace.splitlines():
        match = re.match(r"(\d+) +(\w+)\((.*)", line)
        if not match:
            continue
        thread, call, rest = match.groups()
        numbers[thread, call] += 1
        if (call != "openat" or "O_CREAT" in rest) and (call, numbers[thread, call]) not in found:
            found.append((call, numbers[thread, call]))
    return found


def hidden(directory):
    return list(directory.glob(".lbaf-*")) + list((directory / "out").glob(".lbaf-*"))


def kill(root, template, at, old, new, number):
    call, when = at
    directory = root / "trial"
    shutil.copytree(template, directory)
    out = directory / "out"
    ended = traced(directory, "-e", f"inject={call}:signal=SIGKILL:when={when}")
    found = result(out)
    is_torn = any(out.glob(".lbaf-*/journal.json"))
    if is_torn:
        read = lbaf(directory, "plot", "out", "--output-dir", "elsewhere")
        assert read.returncode == 4 and "lbaf restore out" in read.stderr, (at, read)
        assert result(out) == found, (at, "a reader changed a file")
        outcome = "journal, restored to old"
    elif found == old:
        outcome = "old whole"
    elif found == new:
        outcome = "new whole" if ended.returncode != 0 else "new whole, not killed"
    else:
        raise AssertionError((at, sorted(found), sorted(old), sorted(new)))
    # The next command that writes there restores the old result.
    if number % 2:
        succeed(directory, "tasks", "data", "--output", "out/extra.yaml")
        (out / "extra.yaml").unlink()
    else:
        succeed(directory, "restore", "out")
    assert result(out) == (old if outcome != "new whole" and "new" not in outcome else new), (at, outcome)
    assert not hidden(directory), (at, hidden(directory))
    shutil.rmtree(directory)
    return outcome


def check(root, foreign):
    template = root / "template"
    prepare(template, foreign)
    old = result(template / "out")
    counted = root / "counted"
    shutil.copytree(template, counted)
    assert traced(counted).returncode == 0
    new = result(counted / "out")
    assert old != new and set(old) - set(new) and set(new) - set(old)
    trace = (root / "trace").read_text()
    assert ("RENAME_EXCHANGE" in trace) != foreign, "the wrong way of publishing was used"
    places = changes(trace)
    assert len(places) % STRIDE, "some places would never be used"
    outcomes, by_call = collections.Counter(), collections.Counter()
    n_kills = number = 0
    while n_kills < N_KILLS:
        # The stride spreads the kills over the whole run, even if there are few.
        at = places[number * STRIDE % len(places)]
        outcome = kill(root, template, at, old, new, number)
        number += 1
        n_kills += "not killed" not in outcome
        outcomes[outcome] += 1
        by_call[at[0]] += 1
        assert number < 3 * N_KILLS, "most runs were not killed"
    print(f"{'files beside others (journal)' if foreign else 'directory of its own (exchange)'}:")
    print(f"  {n_kills} kills before {len(places)} different calls: {dict(by_call.most_common())}")
    for outcome, n in outcomes.most_common():
        print(f"  {n:5} {outcome}")


for foreign in [False, True]:
    with tempfile.TemporaryDirectory() as root:
        check(pathlib.Path(root), foreign)
