# SPDX-License-Identifier: MIT OR Apache-2.0
"""Spack recipe of lbaf.

Place the archive of the sources, made by `scripts/release.sh`, in the working directory:

    spack repo add packaging/spack
    spack install --no-checksum lbaf
"""

import os

from spack.package import *
from spack_repo.builtin.build_systems.cargo import CargoPackage


class Lbaf(CargoPackage):
    """Offline evaluation of load balancing strategies on recorded data of task-based applications."""

    url = f"file://{os.getcwd()}/lbaf-0.2.0.tar.gz"
    manual_download = True

    license("MIT OR Apache-2.0")

    version("0.2.0")

    depends_on("rust@1.95:", type="build")

    @run_after("install")
    def install_completions(self):
        lbaf = Executable(self.prefix.bin.lbaf)
        for shell, directory, name in (
            ("bash", "share/bash-completion/completions", "lbaf"),
            ("zsh", "share/zsh/site-functions", "_lbaf"),
            ("fish", "share/fish/vendor_completions.d", "lbaf.fish"),
        ):
            mkdirp(join_path(self.prefix, directory))
            with open(join_path(self.prefix, directory, name), "w") as script:
                lbaf("completions", shell, output=script)
        lbaf("man", join_path(self.prefix, "share/man/man1"))
