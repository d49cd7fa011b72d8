#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks the Python package: lints of its engine, tests with an optimized build, notebooks, and studies on Dask, MPI and
# Parsl with killed processes. Measures the size of the wheel, the time to import it, the time of a call, and the
# overhead of executors. Installs into a temporary environment.
# Tests that need Dask, mpi4py, Parsl or `mpirun` (`apt-get install openmpi-bin`) are skipped without them.
set -euo pipefail
cargo clippy --manifest-path python/Cargo.toml --locked -- -D warnings
environment=$(mktemp -d)
trap 'rm -rf "$environment"' EXIT
python3 -m venv "$environment"
PATH=$environment/bin:$PATH
pip install --quiet './python[test]' mypy nbclient ipykernel matplotlib
for engine in distributed mpi4py parsl; do
    pip install --quiet "$engine" || echo "skipped: $engine cannot be installed (pip install $engine)"
done
command -v mpirun >/dev/null || echo "skipped: mpirun is missing (apt-get install openmpi-bin)"
LBAF_COMMAND=$LBAF_BINARY LBAF_CLUSTERS=1 pytest --quiet -rs python/tests
pip wheel --quiet --no-deps --wheel-dir "$environment/wheel" ./python
du -k "$environment"/wheel/*.whl
python python/benches/overhead.py
python python/benches/executors.py
