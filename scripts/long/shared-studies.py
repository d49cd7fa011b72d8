# SPDX-License-Identifier: MIT OR Apache-2.0
"""Computes studies with several processes that are killed on the way, and compares all bytes with one process.

No cell may be stored twice, except those that a killed process had claimed and not marked as done.
"""

import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LBAF, N_CELLS, N_STUDIES, N_KILLS = sys.argv[1], *(int(word) for word in sys.argv[2:5])
HERE = pathlib.Path(__file__).resolve().parent
N_SEEDS = N_CELLS // 4
STUDY = f"""
configuration:
  from_samplers:
    n_ranks: 32
    n_objects: 3000
    n_mapped_ranks: 16
    communication_degree: 6
    load_sampler: {{name: uniform, parameters: [0.5, 1.5]}}
    volume_sampler: {{name: uniform, parameters: [0, 1]}}
  work_model: {{name: AffineCombination, parameters: {{beta: 1.0e-9}}}}
axes:
  algorithm.name: [LPT, Refine, Greedy, TemperedLB]
  seed: 0-{N_SEEDS - 1}
plots: none
leases: {{renew_after: 0.2, expire_after: 2}}
"""


def results(out):
    """Returns all files of a study except clock times and logs."""
    paths = [path for path in out.rglob("*") if path.is_file()]
    names = {str(path.relative_to(out)): path for path in paths}
    apart = ("timings", "logs")
    return {name: path.read_bytes() for name, path in names.items() if not name.startswith(apart)}


def stored_twice(out):
    """Returns the number of cells that the logs name more than once, and the cells that processes took over."""
    counts, taken_over = {}, set()
    for log in (out / "logs").iterdir():
        for line in log.read_text().splitlines():
            match = re.match(r"(stored|took over) cells ([\d, -]+)", line)
            if not match:
                continue
            for part in match[2].rstrip(" ,").split(", "):
                first, _, last = part.partition("-")
                for cell in range(int(first), int(last or first) + 1):
                    if match[1] == "stored":
                        counts[cell] = counts.get(cell, 0) + 1
                    else:
                        taken_over.add(cell)
    twice = {cell for cell, n in counts.items() if n > 1}
    assert twice <= taken_over, f"stored twice without being taken over: {twice - taken_over}"
    return len(twice), len(taken_over)


def environment(number):
    return {**os.environ, "SLURM_JOB_ID": "by-hand", "SLURM_PROCID": str(number)}


def processes_of(directory):
    """Returns the numbers of running `lbaf study` processes in a directory."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if words[0].endswith(b"lbaf") and b"study" in words and (entry / "cwd").resolve() == directory:
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def wait_for(condition, seconds=120):
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "nothing happened"
        time.sleep(0.01)


def n_stored(out):
    cells = out / "cells"
    return sum(not path.name.startswith(".") for path in cells.iterdir()) if cells.is_dir() else 0


def check(name, directory, expected, began):
    found = results(directory / "out")
    assert found.keys() == expected.keys(), sorted(found.keys() ^ expected.keys())[:10]
    assert found == expected, "bytes differ"
    twice, taken_over = stored_twice(directory / "out")
    seconds = time.monotonic() - began
    print(f"{name}: same bytes; {taken_over} cells taken over, {twice} of them stored twice; {seconds:.1f} s", flush=True)


def fresh(root, name):
    directory = root / name
    directory.mkdir()
    (directory / "study.yaml").write_text(STUDY)
    return directory.resolve()


def kill_one(directory, n_cells=1):
    """Kills one process once at least `n_cells` cells are stored."""
    wait_for(lambda: n_stored(directory / "out") >= n_cells)
    running = processes_of(directory)
    assert running, "the study ended before a process was killed; compute more cells"
    os.kill(random.choice(running), signal.SIGKILL)


COMMAND = [LBAF, "study", "study.yaml", "--output-dir", "out", "--quiet", "--threads", "1"]


def by_hand(root, expected):
    directory = fresh(root, "hand")
    began = time.monotonic()
    children = [subprocess.Popen(COMMAND, cwd=directory, env=environment(k)) for k in range(4)]
    kill_one(directory, N_CELLS // 10)
    codes = sorted(child.wait(timeout=600) for child in children)
    assert codes == [-9, 0, 0, 0], codes
    check("4 processes by hand, one killed", directory, expected, began)


def open_mpi(root, expected):
    if not shutil.which("mpirun"):
        print("Open MPI is not installed (apt-get install openmpi-bin): left out")
        return
    mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4"]
    directory = fresh(root, "recovery")
    began = time.monotonic()
    child = subprocess.Popen([*mpirun, "--enable-recovery", *COMMAND], cwd=directory, stderr=subprocess.DEVNULL)
    kill_one(directory, N_CELLS // 10)
    child.wait(timeout=600)
    check("mpirun --enable-recovery -n 4, one killed", directory, expected, began)

    directory = fresh(root, "plain")
    began = time.monotonic()
    child = subprocess.Popen(
        [*mpirun, *COMMAND], cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    kill_one(directory)
    assert child.wait(timeout=600) != 0, "mpirun ends all processes when one is killed"
    left = n_stored(directory / "out")
    subprocess.run([*mpirun, *COMMAND], cwd=directory, check=True)
    check(f"mpirun -n 4, one killed and with it all, after {left} cells; started again", directory, expected, began)


def slurm(root, expected):
    """Runs this script again under Slurm, whose daemons must be installed on this machine."""
    ended = subprocess.run([HERE.parent / "slurm-here.sh", sys.executable, *sys.argv, "--slurm", root], check=False)
    if ended.returncode == 77:
        print("left out: Slurm")
    else:
        assert ended.returncode == 0


def under_slurm(root, expected):
    directory = fresh(root, "srun")
    began = time.monotonic()
    srun = ["srun", "--quiet", "-n", "4", "--kill-on-bad-exit=0", "--wait=0"]
    child = subprocess.Popen([*srun, *COMMAND], cwd=directory, stderr=subprocess.DEVNULL)
    kill_one(directory, N_CELLS // 10)
    child.wait(timeout=600)
    check("srun -n 4, one killed", directory, expected, began)

    directory = fresh(root, "array")
    began = time.monotonic()
    script = "#!/bin/sh\nexec " + " ".join(COMMAND) + "\n"
    (directory / "job.sh").write_text(script)
    submit = ["sbatch", "--parsable", "--array=0-3", "--output=%a.txt", "job.sh"]
    job = subprocess.run(submit, cwd=directory, check=True, capture_output=True, text=True).stdout.strip()
    kill_one(directory)
    subprocess.run(["scancel", f"{job}_2"], check=True)

    def is_over():
        listed = subprocess.run(["squeue", "--noheader"], check=True, capture_output=True, text=True)
        return not listed.stdout.strip()

    wait_for(is_over)
    check("array of 4, one task cancelled and one killed", directory, expected, began)


def many_kills(root, expected):
    """Kills processes at random times, and starts another one after each kill."""
    began = time.monotonic()
    taken_over = twice = n_kills = 0
    for study in range(N_STUDIES):
        directory = fresh(root, f"kills{study}")
        start = lambda number: subprocess.Popen(COMMAND, cwd=directory, env=environment(number))
        children = [start(k) for k in range(4)]
        for kill in range(N_KILLS // N_STUDIES):
            time.sleep(random.uniform(0.02, 0.4))
            alive = [child for child in children if child.poll() is None]
            if alive:
                random.choice(alive).kill()
                n_kills += 1
            children.append(start(len(children)))
        for child in children:
            code = child.wait(timeout=600)
            assert code in (0, -9), code
        # All may have been killed before the end.
        subprocess.run(COMMAND, cwd=directory, env=environment(99), check=True)
        assert results(directory / "out") == expected, study
        more = stored_twice(directory / "out")
        twice, taken_over = twice + more[0], taken_over + more[1]
        shutil.rmtree(directory)
    print(
        f"{n_kills} kills over {N_STUDIES} studies: same bytes; {taken_over} cells taken over, "
        f"{twice} of them stored twice; {time.monotonic() - began:.0f} s",
        flush=True,
    )


def main():
    random.seed(1)
    if len(sys.argv) > 5:
        root = pathlib.Path(sys.argv[6])
        under_slurm(root, results(root / "whole" / "out"))
        return
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root).resolve()
        whole = fresh(root, "whole")
        began = time.monotonic()
        subprocess.run([LBAF, *COMMAND[1:-1], "0"], cwd=whole, check=True)
        print(f"{N_CELLS} cells in one process: {time.monotonic() - began:.1f} s", flush=True)
        expected = results(whole / "out")
        by_hand(root, expected)
        open_mpi(root, expected)
        slurm(root, expected)
        many_kills(root, expected)


main()
