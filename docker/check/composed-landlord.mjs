import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';

const READY_MS = 60_000;

/** The services of compose.yml as plain processes, with the same environment and with addresses of this machine. */
export class ComposedLandlord {
  #processes = new Map();

  constructor({ image, docker, root, place }) {
    Object.assign(this, { image, docker, root, place });
    this.dataDir = join(place, 'data');
    this.logs = join(place, 'logs');
    mkdirSync(this.dataDir, { mode: 0o700 });
    mkdirSync(this.logs);
    this.services = parse(readFileSync(join(root, 'docker/compose.yml'), 'utf8'), { merge: true }).services;
  }

  /**
   * PostgreSQL with the roles of docker/postgres/init.sh; the embedded server of this checkout replaces the container.
   */
  async startDatabase() {
    this.#sh(['docker/secrets.sh'], { cwd: this.place });
    const { ensureDatabase } = await import(join(this.root, 'dist/libs/launcher/src/index.js'));
    const server = await ensureDatabase({ dataDir: join(this.place, 'server') });
    this.server = new URL(server.url);
    // The script reads /run/secrets and calls psql; this code provides both.
    const script = readFileSync(join(this.root, 'docker/postgres/init.sh'), 'utf8');
    const local = script.replaceAll('/run/secrets', join(this.docker, 'secrets'));
    writeFileSync(join(this.place, 'init.sh'), local);
    mkdirSync(join(this.place, 'bin'));
    const psql = `#!/bin/sh\nexec node ${join(import.meta.dirname, 'psql.mjs')}\n`;
    writeFileSync(join(this.place, 'bin/psql'), psql, { mode: 0o755 });
    const env = {
      PATH: `${this.place}/bin:${process.env.PATH}`,
      POSTGRES_USER: 'postgres',
      PSQL_URL: new URL('/postgres', server.url).href,
    };
    this.#sh(['init.sh'], { cwd: this.place, env });
  }

  migrate() {
    const { status, stdout, stderr } = spawnSync('sh', ['docker/entrypoint.sh', 'migrate'], this.#options('migrate'));
    return { status, output: `${stdout}${stderr}` };
  }

  /** Starts an app and waits for its health check; returns false if the app ends or stays unhealthy. */
  async startApp(app) {
    const [port, gatewayPort] = [await freePort(), await freePort()];
    this.ports = { MAIN_API_PORT: port, SUPERVISOR_PORT: port, GATEWAY_PORT: gatewayPort };
    const log = openSync(join(this.logs, app), 'a');
    const child = spawn('sh', ['docker/entrypoint.sh', app], { ...this.#options(app), stdio: ['ignore', log, log] });
    closeSync(log);
    this.#processes.set(app, child);
    const deadline = Date.now() + READY_MS;
    while (Date.now() < deadline && child.exitCode === null) {
      if (this.healthOf(app) === 0) return true;
      await delay(200);
    }
    return false;
  }

  /** Exit code of the health check of the image. */
  healthOf(app) {
    return spawnSync(process.execPath, ['docker/healthcheck.mjs'], this.#options(app)).status;
  }

  /** Sends SIGTERM; returns true if the app ends in time. */
  async stopApp(app) {
    const child = this.#processes.get(app);
    if (child.exitCode !== null) return false;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const stopped = await Promise.race([ended.then(() => true), delay(15_000, false, { ref: false })]);
    return stopped;
  }

  logOf(app) {
    const file = join(this.logs, app);
    return existsSync(file) ? readFileSync(file, 'utf8').slice(-4000) : '';
  }

  async stop() {
    for (const child of this.#processes.values()) if (child.exitCode === null) child.kill('SIGKILL');
    const { stopDatabase } = await import(join(this.root, 'dist/libs/launcher/src/index.js'));
    await stopDatabase({ dataDir: join(this.place, 'server') });
  }

  /** The environment of a service, with the addresses of the compose network replaced by those of this machine. */
  #options(service) {
    const given = Object.entries(this.services[service].environment).map(([name, value]) => [name, String(value)]);
    const env = {
      PATH: process.env.PATH,
      ...this.image.env,
      ...Object.fromEntries(given.map(([name, value]) => [name, this.#translated(name, value)])),
      LANDLORD_DATA_DIR: this.dataDir,
      // No Redis here: the queue is in PostgreSQL, which is the default.
      QUEUE_URL_FILE: '',
      ...(service === 'migrate' ? {} : pick(this.ports, Object.keys(this.services[service].environment))),
      ...(service === 'supervisor' && { LOCAL_BIND_ADDRESS: '127.0.0.1' }),
    };
    return { cwd: this.image.cwd, env, encoding: 'utf8', timeout: service === 'migrate' ? 60_000 : undefined };
  }

  #translated(name, value) {
    if (!value.startsWith('/run/secrets/')) return value;
    const file = join(this.docker, 'secrets', value.slice('/run/secrets/'.length));
    if (!name.startsWith('DATABASE_URL')) return file;
    const url = new URL(readFileSync(file, 'utf8').trim());
    url.host = this.server.host;
    writeFileSync(`${file}.local`, url.href);
    return `${file}.local`;
  }

  #sh(args, options) {
    const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8', ...options });
    if (status !== 0) throw new CheckBroken(`sh ${args.join(' ')} ended with ${status}:\n${stderr}`);
  }
}

class CheckBroken extends Error {
  name = 'CheckBroken';
}

const pick = (record, names) =>
  Object.fromEntries(
    Object.entries(record ?? {})
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
