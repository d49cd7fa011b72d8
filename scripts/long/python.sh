#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The Python package: lints of its engine, its tests with an optimized build, notebooks, studies on Dask and MPI with killed
# workers, size of the wheel, time to import it, and time of a call. Installs into a temporary environment.
# Tests that need `mpirun` (`apt-get install openmpi-bin`) are skipped without it.
set -euo pipefail
cargo clippy --manifest-path python/Cargo.toml --locked -- -D warnings
environment=$(mktemp -d)
trap 'rm -rf "$environment"' EXIT
python3 -m venv "$environment"
PATH=$environment/bin:$PATH
pip install --quiet './python[test]' mypy dask distributed mpi4py nbclient ipykernel matplotlib
LBAF_COMMAND=$LBAF_BINARY LBAF_CLUSTERS=1 pytest --quiet python/tests
pip wheel --quiet --no-deps --wheel-dir "$environment/wheel" ./python
du -k "$environment"/wheel/*.whl
python python/benches/overhead.py
