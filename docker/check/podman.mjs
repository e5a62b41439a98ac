import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Containers cannot run on this machine; the message contains the reason. */
export class ContainersUnavailable extends Error {
  name = 'ContainersUnavailable';
}

/** A command of podman failed. */
export class PodmanFailed extends Error {
  name = 'PodmanFailed';
}

/** What the check needs, by its Debian package: a program in PATH, or one of these files. */
const NEEDED = {
  podman: ['podman'],
  runc: ['runc'],
  netavark: ['/usr/lib/podman/netavark', '/usr/libexec/podman/netavark'],
  'aardvark-dns': ['/usr/lib/podman/aardvark-dns', '/usr/libexec/podman/aardvark-dns'],
  catatonit: ['catatonit'],
  iptables: ['iptables'],
  mmdebstrap: ['mmdebstrap'],
  openssl: ['openssl'],
};

/** @throws ContainersUnavailable that says what is missing. */
export function requirePodman() {
  if (process.getuid?.() !== 0) throw new ContainersUnavailable('Only root can run this check. Run it as root.');
  const missing = Object.entries(NEEDED)
    .filter(([, places]) => !places.some(isProgram))
    .map(([name]) => name);
  if (missing.length === 0) return;
  const packages = missing.join(' ');
  throw new ContainersUnavailable(
    `Containers cannot run here without these Debian packages: apt-get install ${packages}`,
  );
}

function isProgram(place) {
  if (place.startsWith('/')) return existsSync(place);
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, place), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Podman with images, containers, networks and volumes of its own below `place`, apart from those of the user. The settings
 * suit hosts without systemd and with limits that root cannot raise.
 */
export class Podman {
  #env;

  constructor(place) {
    this.place = place;
    for (const folder of ['images', 'run', 'networks']) mkdirSync(join(place, folder), { recursive: true });
    const files = { CONTAINERS_CONF: 'containers.conf', CONTAINERS_STORAGE_CONF: 'storage.conf' };
    const paths = Object.entries(files).map(([variable, name]) => [variable, join(place, name)]);
    // Podman runs the health checks by timers of systemd. The check runs them itself.
    this.#env = { ...process.env, ...Object.fromEntries(paths), DISABLE_HC_SYSTEMD: 'true' };
    writeFileSync(join(place, files.CONTAINERS_CONF), engineSettings(place));
    writeFileSync(join(place, files.CONTAINERS_STORAGE_CONF), storageSettings(place));
  }

  /** The output of a command. @throws PodmanFailed */
  run(...args) {
    const { status, output } = this.try(...args);
    if (status !== 0) throw new PodmanFailed(`podman ${args.join(' ')} ended with ${status}:\n${output.slice(-4000)}`);
    return output.trim();
  }

  /** The exit code of a command, and its output. */
  try(...args) {
    const options = { env: this.#env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
    const { status, stdout, stderr, error } = spawnSync('podman', args, options);
    return { status, output: status === 0 ? stdout : `${stdout ?? ''}${stderr ?? error}` };
  }

  /** Runs a command whose output is shown. @throws PodmanFailed */
  async show(...args) {
    const child = spawn('podman', args, { env: this.#env, stdio: ['ignore', 'inherit', 'inherit'] });
    const status = await new Promise((ended) => child.once('close', ended));
    if (status !== 0) throw new PodmanFailed(`podman ${args.join(' ')} ended with ${status}`);
  }

  /** The containers, networks, volumes and processes that exist. Podman itself owns the network `podman`. */
  leftovers() {
    const lines = (...args) =>
      this.run(...args)
        .split('\n')
        .filter(Boolean);
    return [
      ...lines('ps', '--all', '--format', 'container {{.Names}}'),
      ...lines('network', 'ls', '--format', 'network {{.Name}}').filter((line) => line !== 'network podman'),
      ...lines('volume', 'ls', '--format', 'volume {{.Name}}'),
      ...this.#processes().map((pid) => `process ${pid}`),
    ];
  }

  /** Each container has a process of podman outside of it, which names the folder. */
  #processes() {
    return readdirSync('/proc').filter((name) => {
      if (!/^\d+$/.test(name) || name === String(process.pid)) return false;
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(this.place);
      } catch {
        // It ended in the meantime.
        return false;
      }
    });
  }
}

function engineSettings(place) {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const hard = (what) => Number(new RegExp(`^Max ${what} +\\S+ +(\\d+)`, 'm').exec(limits)?.[1] ?? Infinity);
  // Podman lowers its own limit of processes to the largest pid, and a container cannot raise it again.
  const pids = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'));
  const ulimits = Object.entries({ nofile: hard('open files'), nproc: Math.min(hard('processes'), pids) })
    .filter(([, limit]) => Number.isFinite(limit))
    .map(([name, limit]) => `"${name}=${limit}:${limit}"`);
  return `[containers]
default_ulimits = [${ulimits.join(', ')}]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
lock_type = "file"
tmp_dir = "${join(place, 'run/engine')}"
[network]
network_backend = "netavark"
network_config_dir = "${join(place, 'networks')}"
`;
}

const storageSettings = (place) => `[storage]
driver = "overlay"
graphroot = "${join(place, 'images')}"
runroot = "${join(place, 'run')}"
`;
