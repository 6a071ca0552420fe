"""A cluster of Slurm on the loopback interface, without accounting and without anybody's configuration: munged,
slurmctld and two nodes, each with their files in one folder. For tests."""
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"]
os.environ["PATH"] += ":/usr/sbin"


def missing():
    """Why there can be no cluster here; "" if there can."""
    lacking = [name for name in PROGRAMS if shutil.which(name) is None]
    if lacking:
        return f"{', '.join(lacking)} missing: apt-get install slurm-wlm munge"
    return "" if os.geteuid() == 0 else "only root can start its daemons"


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Cluster:
    NODES = ["n1", "n2"]

    def __init__(self, folder, array_size=8):
        self.folder = folder
        for name in ("state", "spool.n1", "spool.n2", "munge"):
            os.makedirs(f"{folder}/{name}", mode=0o755)
        os.chmod(folder, 0o755)
        host = socket.gethostname().split(".")[0]
        controller, *ports = free_ports(1 + len(self.NODES))
        nodes = "\n".join(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=4000 State=UNKNOWN"
                          for name, port in zip(self.NODES, ports))
        with open(f"{folder}/slurm.conf", "w") as file:
            file.write(f"""ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdTimeout=8
ReturnToService=2
MaxArraySize={array_size}
KillWait=2
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        with open(f"{folder}/munge/key", "wb") as file:
            file.write(os.urandom(128))
        os.chmod(f"{folder}/munge/key", 0o600)
        self.environment = os.environ | {"SLURM_CONF": f"{folder}/slurm.conf"}
        self.daemons = {}

    def __enter__(self):
        try:
            self.start("munged", "--foreground", "--force", f"--key-file={self.folder}/munge/key",
                       f"--socket={self.folder}/munge/socket", f"--pid-file={self.folder}/munge/pid",
                       f"--log-file={self.folder}/munge/log", f"--seed-file={self.folder}/munge/seed")
            self.wait_for(lambda: os.path.exists(f"{self.folder}/munge/socket"), "munged")
            self.start("slurmctld", "-D")
            for node in self.NODES:
                self.start_node(node)
            self.wait_for(lambda: self.output("sinfo", "-h", "-o", "%t").split() == ["idle"], "the nodes")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run(["scancel", "--full", "--signal=KILL", "--user=root"], env=self.environment, timeout=20,
                       capture_output=True, check=False)
        for daemon in reversed(list(self.daemons.values())):
            daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def start(self, name, *arguments, key=None):
        with open(f"{self.folder}/{key or name}.out", "ab") as out:
            self.daemons[key or name] = subprocess.Popen([name, *arguments], stdin=subprocess.DEVNULL, stdout=out,
                                                         stderr=out, env=self.environment)

    def start_node(self, node):
        self.start("slurmd", "-D", "-N", node, key=node)

    def kill_node(self, node):
        """The daemon of a node, and what it has started: as when the machine loses its power."""
        group = [self.daemons[node].pid]
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if f"SLURMD_NODENAME={node}".encode() in file.read().split(b"\0"):
                        group.append(int(pid))
            except OSError:
                pass
        for pid in group:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.daemons.pop(node).wait()

    def output(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False).stdout

    def jobs(self):
        return self.output("squeue", "-h", "-o", "%A").split()

    def end_delays(self):
        """What ran on a node that failed would wait for two minutes, in case that its user is at fault."""
        for job in self.output("squeue", "-h", "-t", "pending", "-r", "-o", "%i %r").splitlines():
            name, reason = job.split(maxsplit=1)
            if "BeginTime" in reason:
                self.output("scontrol", "update", f"JobId={name}", "StartTime=now")

    def wait_for(self, what, name, seconds=60):
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                raise RuntimeError(f"waited {seconds} s for {name}; see {self.folder}")
            time.sleep(0.2)
