import { spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fetchPackage, PackageUnavailable } from '../../scripts/debian-package.mjs';

/** Containers cannot run on this machine; the message contains the reason. */
export class ContainersUnavailable extends Error {
  name = 'ContainersUnavailable';
}

/** A command of podman failed. */
export class PodmanFailed extends Error {
  name = 'PodmanFailed';
}

/** What podman needs, by its Debian package: a program in PATH, or one of these files. */
const PARTS = {
  podman: ['podman'],
  conmon: ['conmon'],
  runc: ['runc'],
  netavark: ['/usr/lib/podman/netavark', '/usr/libexec/podman/netavark'],
  'aardvark-dns': ['/usr/lib/podman/aardvark-dns', '/usr/libexec/podman/aardvark-dns'],
  iptables: ['iptables'],
  'golang-github-containers-common': ['/usr/share/containers/seccomp.json'],
};

/**
 * The environment and the settings of a podman: of this machine, or else of Debian's packages in the data directory, which are not installed.
 * @throws ContainersUnavailable that says what is missing.
 */
export function findPodman() {
  if (process.getuid?.() !== 0) throw new ContainersUnavailable('Only root can run containers here. Run this as root.');
  if (Object.values(PARTS).every((places) => places.some(isProgram))) return { env: {}, engine: '', containers: '' };
  try {
    return unpackedPodman(Object.keys(PARTS).map((name) => fetchPackage(name)));
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    const packages = Object.keys(PARTS).join(' ');
    throw new ContainersUnavailable(
      `Containers cannot run here: ${error.message} These packages help: apt-get install ${packages}`,
    );
  }
}

/** @throws ContainersUnavailable unless each of these programs is here. */
export function requirePrograms(...names) {
  const missing = names.filter((name) => !isProgram(name)).join(' ');
  if (missing !== '') throw new ContainersUnavailable(`This needs more Debian packages: apt-get install ${missing}`);
}

/** Programs look for their parts in the folders of an installation. These settings name other folders. */
function unpackedPodman(packages) {
  linkIptables(packages);
  const inside = (path) => packages.map(({ folder }) => join(folder, path)).filter(existsSync);
  const folders = ['usr/bin', 'usr/sbin'].flatMap(inside);
  const quoted = (paths) => paths.map((path) => `"${path}"`).join(', ');
  const libraries = packages.flatMap((one) => one.libraries);
  return {
    env: {
      PATH: [...folders, process.env.PATH].join(delimiter),
      LD_LIBRARY_PATH: libraries.join(':'),
      XTABLES_LIBDIR: libraries.find((path) => path.endsWith('/xtables')) ?? '',
    },
    engine: `conmon_path = [${quoted(inside('usr/bin/conmon'))}]
helper_binaries_dir = [${quoted(inside('usr/lib/podman'))}]
[engine.runtimes]
runc = [${quoted(inside('usr/sbin/runc'))}]
`,
    containers: `seccomp_profile = ${quoted(inside('usr/share/containers/seccomp.json'))}
`,
  };
}

/** An installation makes this link. */
function linkIptables(packages) {
  const [folder] = packages
    .map((one) => join(one.folder, 'usr/sbin'))
    .filter((one) => existsSync(join(one, 'iptables-nft')));
  // netavark asks both, also for a network without IPv6.
  for (const name of ['iptables', 'ip6tables'])
    if (!existsSync(join(folder, name))) symlinkSync(`${name}-nft`, join(folder, name));
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

  /** `parts`: of findPodman(). */
  constructor(place, parts) {
    this.place = place;
    for (const folder of ['images', 'run', 'networks']) mkdirSync(join(place, folder), { recursive: true });
    const files = { CONTAINERS_CONF: 'containers.conf', CONTAINERS_STORAGE_CONF: 'storage.conf' };
    const paths = Object.entries(files).map(([variable, name]) => [variable, join(place, name)]);
    // Podman runs the health checks by timers of systemd. The check runs them itself.
    this.#env = { ...process.env, ...parts.env, ...Object.fromEntries(paths), HOME: place, DISABLE_HC_SYSTEMD: 'true' };
    // Podman refuses every image without a policy. That of Debian is the same.
    mkdirSync(join(place, '.config/containers'), { recursive: true });
    writeFileSync(join(place, '.config/containers/policy.json'), '{"default":[{"type":"insecureAcceptAnything"}]}');
    writeFileSync(join(place, files.CONTAINERS_CONF), engineSettings(place, parts));
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

  /** Forgets the names in networks that a killed run has left. `prefix`: of the names of its networks. */
  forgetNames(prefix) {
    if (!existsSync(NAMES)) return;
    for (const network of readdirSync(NAMES)) if (network.startsWith(prefix)) rmSync(join(NAMES, network));
  }

  /** What a command writes to both streams: the errors of a container are in the second one of its log. */
  both(...args) {
    const { stdout, stderr } = spawnSync('podman', args, { env: this.#env, encoding: 'utf8' });
    return `${stdout ?? ''}${stderr ?? ''}`;
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
    return readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && name !== String(process.pid) && commandOf(name).includes(this.place),
    );
  }
}

/** The names of containers, by network, from which all instances of podman on a machine answer their DNS. */
const NAMES = '/run/containers/networks/aardvark-dns';

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It ended in the meantime.
    return '';
  }
}

function engineSettings(place, parts) {
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
${parts.containers}[network]
network_backend = "netavark"
network_config_dir = "${join(place, 'networks')}"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
lock_type = "file"
tmp_dir = "${join(place, 'run/engine')}"
${parts.engine}`;
}

const storageSettings = (place) => `[storage]
driver = "overlay"
graphroot = "${join(place, 'images')}"
runroot = "${join(place, 'run')}"
`;
