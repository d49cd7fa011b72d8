# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ctrl-C: a signal ends every kind of call within a second."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

SETUP = """
import itertools, sys, time
import numpy as np
import lbaf_rs
uniform = {"name": "uniform", "parameters": [0.5, 1.5]}
data = lbaf_rs.sample(n_ranks=64, n_objects=20000, n_mapped_ranks=16, n_phases=2, communication_degree=4,
                      load_sampler=uniform, volume_sampler=uniform)
def endless(problem):
    for step in itertools.count():
        np.sort(problem.loads)
def started():
    print("started", flush=True)
"""

CALLS = {
    "built in": 'started(); lbaf_rs.balance(data[0], "TemperedLB", iters=10**6)',
    "own": "started(); lbaf_rs.balance(data[0], endless)",
    "nested": 'started(); lbaf_rs.balance(data[0], lambda problem: lbaf_rs.balance(problem.phase, "TemperedLB", iters=10**6).placement)',
    "run": 'started(); lbaf_rs.run({"algorithm": {"name": endless}}, data)',
    "simulate": 'started(); lbaf_rs.simulate({"algorithm": {"name": endless}, "simulation": {"schedule": {"every": 1}}}, data)',
    "data": "started(); lbaf_rs.sample(n_ranks=64, n_objects=4_000_000, n_mapped_ranks=64, n_phases=4, load_sampler=uniform)",
    "study": 'started(); lbaf_rs.study({"axes": {"algorithm.name": ["LPT", endless]}}, data, charts=False)',
}


def accept_signal() -> None:
    """Restore the default handling of Ctrl-C. Background processes of a shell, such as these tests, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("kind", CALLS)
def test_ctrl_c_ends_a_call(kind: str, tmp_path: Path) -> None:
    program = SETUP + textwrap.dedent(
        f"""
        try:
            {CALLS[kind]}
            print("ended")
        except KeyboardInterrupt:
            print("interrupted", lbaf_rs.balance(lbaf_rs.Phase(loads=[1.0], ranks=[0]), "LPT").n_migrations)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=tmp_path, preexec_fn=accept_signal
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    output = process.communicate(timeout=20)[0]
    # The call takes at most a second; two more seconds are a reserve for a busy machine.
    assert time.monotonic() - began < 3
    assert output == "interrupted 0\n"
