import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LISTENERS, type AppListener } from '@libs/domain/admission';
import { TestCloud, eventually } from '@libs/testing';
import { connectionsOf, cutsOf } from './listener-metrics.js';

const FLOOD = fileURLToPath(new URL('connection-flood.mjs', import.meta.url));
/** More than all places before sign-in, with the reserve. */
const CONNECTIONS = 4_000;
/** The attackers open no more after this time. A slow machine opens fewer. */
const SECONDS = 12;
const REQUESTS = 10;
/** Between the later requests of a caller. */
const PAUSE_MS = 10;
/** Only a request that is never answered takes this long. */
const PATIENCE_MS = 30_000;
const KIB_OF_A_CONNECTION = 64;
/** Open files for other work of the process meanwhile, such as connections to PostgreSQL. */
const OTHER_FILES = 100;

interface Listener {
  name: AppListener;
  port: number;
  pid: number;
  /** The API of the process, for its metrics. */
  api: string;
  /** A request of the attackers that is refused. */
  refused: string;
  /** A request of a caller, on a new connection. */
  path: string;
  headers: Record<string, string>;
  status: number;
}

/** Attackers who hold as many connections as they can, also from the address of the caller who must be served. */
describe('Connections without a credential', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { RATE_LIMIT: '1000000' } });
  });
  afterAll(() => cloud.stop());

  const listeners = (): Record<AppListener, Listener> => {
    const { mainApi: main, supervisor, key, tenant } = cloud;
    const headers = { 'ld-api-key': key };
    const refused = 'GET /tenants/1 HTTP/1.1\r\nhost: x\r\nld-api-key: made-up\r\n\r\n';
    const ofMain = { port: portOf(main.url), pid: main.pid, api: main.url };
    const ofSupervisor = { pid: supervisor.pid, api: supervisor.url };
    return {
      'main-api': { name: 'main-api', ...ofMain, refused, path: tenant, headers, status: 200 },
      'supervisor-api': {
        ...{ name: 'supervisor-api', port: portOf(supervisor.url), ...ofSupervisor, refused },
        ...{ path: '/deployments/1', headers, status: 404 },
      },
      gateway: {
        ...{ name: 'gateway', port: Number(cloud.supervisorEnv['GATEWAY_PORT']), ...ofSupervisor },
        refused: `GET /agent/v1/desired HTTP/1.1\r\nhost: x\r\nauthorization: Bearer 9.${'x'.repeat(43)}\r\n\r\n`,
        ...{ path: '/agent/v1/machines/join.sh', headers: {}, status: 200 },
      },
    };
  };

  it.each<AppListener>(['main-api', 'supervisor-api', 'gateway'])('do not keep a caller from %s', async (name) => {
    const listener = listeners()[name];
    const { unknown, reserve } = LISTENERS[name];
    expect(await answer(listener)).toBe(listener.status);
    const [before, filesBefore] = [kibOf(listener.pid), filesOf(listener.pid)];
    const flood = startFlood(listener);
    const statuses: (number | string)[] = [];
    let grown = 0;
    let hasOpenedAll = false;
    const opening = flood.next().then((figures) => {
      hasOpenedAll = true;
      return figures;
    });
    // At least one request comes after all attackers.
    while (!hasOpenedAll || statuses.length < REQUESTS) {
      statuses.push(await answer(listener));
      // The gateway has a rate for each network, which a fast machine would exceed.
      if (statuses.length >= REQUESTS) await delay(PAUSE_MS);
      grown = Math.max(grown, kibOf(listener.pid) - before);
    }
    const { opened } = await opening;
    statuses.push(await answer(listener));
    let served = Infinity;
    await eventually(
      () => `${served} connections served before sign-in are above the limit of ${unknown + reserve}`,
      async () => (served = await connectionsOf(listener)) <= unknown + reserve,
      PATIENCE_MS,
    );
    const files = (): number => filesOf(listener.pid) - filesBefore;
    await eventually(
      () => `the process has ${files()} files for connections`,
      () => files() <= unknown + reserve + OTHER_FILES,
      PATIENCE_MS,
    );
    const { held } = await flood.end();
    console.log(
      `${name}: ${opened} connections opened, ${held} held, ${served} of them served before sign-in, ` +
        `${statuses.length} requests answered, ${grown} KiB`,
    );

    expect(statuses).toEqual(statuses.map(() => listener.status));
    expect(opened).toBeGreaterThan(unknown);
    // Without a limit, the time for the head of a request ends silent connections later.
    expect(await cutsOf(listener)).toBeGreaterThan(0);
    expect(grown).toBeLessThan(CONNECTIONS * KIB_OF_A_CONNECTION);
  });

  it.each<AppListener>(['main-api', 'supervisor-api', 'gateway'])(
    'do not get two Host headers past %s',
    async (name) => {
      const { port, path } = listeners()[name];
      const host = `127.0.0.1:${port}`;
      const hosts = [
        `host: ${host}\r\nhost: evil.example`,
        `Host: evil.example\r\nhOST: ${host}`,
        `host: ${host}\r\nx: y\r\nHOST: ${host}`,
      ];

      const answers = await Promise.all(hosts.map((lines) => rawAnswer(port, `GET ${path} HTTP/1.1\r\n${lines}\r\n`)));

      expect(answers.map((text) => text.slice(0, 12))).toEqual(hosts.map(() => 'HTTP/1.1 400'));
    },
  );
});

/** The whole answer to a request with this head. */
function rawAnswer(port: number, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head}connection: close\r\n\r\n`));
    socket.on('data', (chunk) => (text += chunk.toString())).once('error', reject);
    socket.once('close', () => resolve(text));
  });
}

const portOf = (url: string): number => Number(new URL(url).port);

const kibOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

interface Figures {
  opened: number;
  held: number;
}

/** The attackers, as a process. `next`: when they have opened all their connections. `end`: they let go. */
function startFlood({ port, refused }: Listener): { next: () => Promise<Figures>; end: () => Promise<Figures> } {
  const words = [FLOOD, port, CONNECTIONS, SECONDS, refused].map(String);
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Figures> => JSON.parse(String((await lines.next()).value)) as Figures;
  const end = async (): Promise<Figures> => {
    const ended = once(child, 'exit');
    child.stdin.end();
    const figures = await next();
    await ended;
    return figures;
  };
  return { next, end };
}

/** The status on a new connection, or the error of the connection. */
function answer({ port, path, headers }: Listener): Promise<number | string> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false, timeout: PATIENCE_MS }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('timeout', () => resolve('timeout'))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
