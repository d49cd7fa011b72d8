#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs a command under a Slurm of one node on this machine: `scripts/slurm-here.sh COMMAND [ARGUMENT...]`.
# Needs root, and the Debian packages slurmctld, slurmd, slurm-client and munge. Ends with 77 if they are missing. The
# node offers 8 processors, however many there are, so that jobs with several tasks start at once.
set -euo pipefail
export LC_ALL=C

for program in munged slurmctld slurmd srun sbatch; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || {
        echo "Slurm is not available: $program is missing (apt-get install slurmctld slurmd slurm-client munge)" >&2
        exit 77
    }
done
[ "$(id -u)" = 0 ] || { echo "Slurm is not available: its daemons need root" >&2; exit 77; }
export PATH=$PATH:/usr/sbin

home=$(mktemp -d)
chmod 755 "$home"
daemons=()
stop() {
    scancel --quiet --full --user=root 2>/dev/null || true
    for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$home"
}
trap stop EXIT

# A key of its own, so that a Slurm of the machine is not disturbed.
mkdir -m 700 "$home/munge"
dd if=/dev/urandom of="$home/munge/key" bs=1024 count=1 status=none
chmod 400 "$home/munge/key"
mkdir -m 755 "$home/socket"
munged --foreground --force --key-file="$home/munge/key" --socket="$home/socket/munge" --num-threads=4 \
    --pid-file="$home/munge/pid" --seed-file="$home/munge/seed" --log-file="$home/munge/log" >"$home/daemons.log" 2>&1 &
daemons+=($!)

node=$(hostname -s)
mkdir "$home/state" "$home/spool"
cat >"$home/slurm.conf" <<CONF
ClusterName=here
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$home/socket/munge
CredType=cred/munge
MpiDefault=none
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldLogFile=$home/slurmctld.log
SlurmdLogFile=$home/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MinJobAge=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$home/slurm.conf
slurmctld -D >>"$home/daemons.log" 2>&1 &
daemons+=($!)
slurmd -D -N "$node" >>"$home/daemons.log" 2>&1 &
daemons+=($!)

for _ in $(seq 300); do
    # A job shows that all daemons work together.
    if [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ] && srun -n 1 true 2>/dev/null; then
        "$@"
        exit
    fi
    sleep 0.1
done
echo "Slurm did not start within 30 s:" >&2
tail -n 5 "$home"/*.log >&2
exit 1
