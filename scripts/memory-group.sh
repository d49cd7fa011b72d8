# SPDX-License-Identifier: MIT OR Apache-2.0
# For scripts that measure `lbaf` in a control group with limited memory; they read this file with `source`.
# Linux, as root. Needs LBAF_BINARY.

# Makes a control group with $1 MB of memory, of version 1 or 2, in $group; false if that is not possible.
make_memory_group() {
    local version_1=/sys/fs/cgroup/memory version_2=/sys/fs/cgroup name=lbaf-memory-$$
    if mkdir "$version_1/$name" 2> /dev/null; then
        group=$version_1/$name
        echo $(($1 * 1000000)) > "$group/memory.limit_in_bytes"
    elif grep -qs memory "$version_2/cgroup.subtree_control" && mkdir "$version_2/$name" 2> /dev/null; then
        group=$version_2/$name
        echo $(($1 * 1000000)) > "$group/memory.max"
    else
        return 1
    fi
}

# Runs a command of lbaf in the group $1, or in none if $1 is empty, and prints its wall time and peak memory.
measured() {
    python3 - "$@" << 'PYTHON'
import os, sys, time
group, command = sys.argv[1], sys.argv[2:]
started = time.monotonic()
child = os.fork()
if child == 0:
    if group:
        with open(f"{group}/cgroup.procs", "w") as file:
            file.write(str(os.getpid()))
    os.execv(os.environ["LBAF_BINARY"], ["lbaf", *command])
_, status, usage = os.wait4(child, 0)
code = os.waitstatus_to_exitcode(status)
seconds, peak = time.monotonic() - started, usage.ru_maxrss * 1024 / 1e6
where = "in the group" if group else "without"
print(f"{command[0]} {where}: exit code {code}, {seconds:.0f} s, peak {peak:.0f} MB", file=sys.stderr)
sys.exit(code)
PYTHON
}
