import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readComposeFile, startOrder } from './compose-file.mjs';
import { eventually } from './eventually.mjs';

const DOCKER = join(import.meta.dirname, '..');
const HEALTHY_MS = 90_000;

/** The services of a Compose file as containers of podman, with fresh secrets, networks and volumes. */
export class Composition {
  /** @param place A private folder for the secrets. */
  constructor(podman, file, place) {
    this.podman = podman;
    this.place = place;
    Object.assign(this, readComposeFile(join(DOCKER, file)));
  }

  /** The files that the Compose file mounts: a script of docker/ creates them. */
  makeCertificates() {
    mkdirSync(this.place, { recursive: true, mode: 0o755 });
    const script = join(this.place, 'certificates.sh');
    cpSync(join(DOCKER, 'certificates.sh'), script);
    const { status, stderr } = spawnSync('sh', [script], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`certificates.sh ended with ${status}: ${stderr}`);
  }

  /** Starts each service when its dependencies have the state that it waits for, and waits until all are healthy. */
  async start() {
    this.podman.forgetNames(this.#full(''));
    for (const [name, network] of Object.entries(this.networks)) this.#createNetwork(name, network ?? {});
    for (const name of Object.keys(this.volumes)) this.podman.run('volume', 'create', this.#full(name));
    await this.#run(startOrder(this.services));
  }

  /** What `docker compose up` does after a change of the image: each part of Landlord gets another container. */
  async replaceLandlord() {
    const names = startOrder(this.services).filter((name) => this.isLandlord(name));
    for (const name of names.toReversed()) this.podman.run('stop', this.#full(name));
    for (const name of names) this.podman.run('rm', this.#full(name));
    await this.#run(names);
  }

  async #run(names) {
    for (const name of names) {
      for (const [other, { condition }] of Object.entries(this.services[name].depends_on ?? {}))
        await this.#reached(other, condition);
      const { command = [] } = this.services[name];
      this.podman.run('run', '--detach', ...this.#options(name), ...command.map(unescaped));
    }
    for (const name of this.permanent) await this.becomesHealthy(name);
  }

  /** The services that do not end by themselves. */
  get permanent() {
    return Object.keys(this.services).filter((name) => this.services[name].healthcheck?.disable !== true);
  }

  isLandlord(name) {
    return this.services[name].image.startsWith('landlord:');
  }

  isHealthy(name) {
    const test = this.services[name].healthcheck?.test;
    if (test === undefined) return this.podman.try('healthcheck', 'run', this.#full(name)).status === 0;
    const [kind, ...rest] = test.map(unescaped);
    const command = kind === 'CMD-SHELL' ? ['sh', '-c', ...rest] : rest;
    return this.podman.try('exec', this.#full(name), ...command).status === 0;
  }

  becomesHealthy(name) {
    return eventually(`${name} is healthy`, () => this.isHealthy(name), HEALTHY_MS);
  }

  exec(name, ...command) {
    return this.podman.run('exec', this.#full(name), ...command);
  }

  /** Runs another command in a further container of a service. Returns its output. */
  runOnce(name, ...command) {
    return this.podman.run('run', '--rm', ...this.#options(name, `${name}-once`), ...command);
  }

  kill(name) {
    this.podman.run('kill', this.#full(name));
  }

  restart(name) {
    this.podman.run('restart', this.#full(name));
  }

  startAgain(name) {
    this.podman.run('start', this.#full(name));
  }

  /** Stops Landlord, then the services that it uses. Returns the exit codes. */
  stop() {
    const names = Object.keys(this.services);
    for (const isFirst of [true, false]) {
      const together = names.filter((name) => this.isLandlord(name) === isFirst);
      this.podman.run('stop', ...together.map((name) => this.#full(name)));
    }
    const codes = names.map((name) => [name, Number(this.#inspect(name, '{{.State.ExitCode}}'))]);
    return Object.fromEntries(codes);
  }

  /** Removes what start() created, also after a failure in the middle. */
  remove() {
    for (const name of startOrder(this.services).reverse())
      this.podman.run('rm', '--force', '--ignore', '--time', '0', this.#full(name));
    for (const name of Object.keys(this.networks)) this.podman.try('network', 'rm', this.#network(name));
    for (const name of Object.keys(this.volumes)) this.podman.try('volume', 'rm', this.#full(name));
  }

  logs(name) {
    return this.podman.both('logs', '--tail', '20', this.#full(name));
  }

  async #reached(name, condition) {
    if (condition === 'service_healthy') return this.becomesHealthy(name);
    const code = this.podman.run('wait', this.#full(name));
    if (code !== '0') throw new Error(`${name} ended with ${code}:\n${this.logs(name)}`);
  }

  #createNetwork(name, { ipam, internal }) {
    const [{ subnet, ip_range: range } = {}] = ipam?.config ?? [];
    const options = [
      ...(subnet ? ['--subnet', subnet] : []),
      ...(range ? ['--ip-range', range] : []),
      ...(internal ? ['--internal'] : []),
    ];
    this.podman.run('network', 'create', ...options, this.#network(name));
  }

  /** The options and the image of a service, for its own container or for another one. */
  #options(name, container = name) {
    const { image, environment = {}, ...service } = this.services[name];
    const flag = (option, value) => (value === undefined ? [] : [option, String(value)]);
    const each = (option, values = []) => values.flatMap((value) => [option, value]);
    return [
      ...['--name', this.#full(container), '--hostname', name],
      ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
      ...each('--tmpfs', service.tmpfs),
      ...each('--network', service.network_mode ? [service.network_mode] : this.#networksOf(name, service.networks)),
      ...each('--volume', [...this.#mounts(service), ...this.#secretsOf(service)]),
      ...each(
        '--env',
        Object.entries(environment).map((pair) => pair.join('=')),
      ),
      ...each('--publish', service.ports),
      ...each('--cap-drop', service.cap_drop),
      ...each(
        '--security-opt',
        service.security_opt?.map((option) => option.replace(':true', '')),
      ),
      ...flag('--user', service.user),
      ...flag('--memory', service.mem_limit),
      ...flag('--shm-size', service.shm_size),
      ...flag('--stop-timeout', service.stop_grace_period?.replace('s', '')),
      image,
    ];
  }

  #networksOf(name, networks) {
    const given = Array.isArray(networks) ? Object.fromEntries(networks.map((network) => [network, {}])) : networks;
    return Object.entries(given).map(([network, { ipv4_address: address }]) =>
      [`${this.#network(network)}:alias=${name}`, ...(address ? [`ip=${address}`] : [])].join(','),
    );
  }

  #mounts({ volumes = [] }) {
    return volumes.map((mount) => (mount.startsWith('.') ? join(DOCKER, mount) : this.#full(mount)));
  }

  #secretsOf({ secrets = [] }) {
    return secrets.map((name) => `${join(this.place, this.secrets[name].file)}:/run/secrets/${name}:ro`);
  }

  #inspect(name, format) {
    return this.podman.run('inspect', '--format', format, this.#full(name));
  }

  /**
   * All instances of podman on a machine remember addresses by the name of the network. A killed run leaves its addresses there, and the next
   * network of that name would refuse them.
   */
  #network(name) {
    return `${this.#full(name)}-${process.pid}`;
  }

  #full(name) {
    return `${this.name}-${name}`;
  }
}

const unescaped = (text) => text.replaceAll('$$', () => '$');
