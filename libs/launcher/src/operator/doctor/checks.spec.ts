import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../config.js';
import { checkDataDirectory } from './check-data-directory.js';
import { checkKeyFile } from './check-key-file.js';
import { checkPorts, checkRange } from './check-ports.js';
import { checkQueue } from './check-queue.js';
import { checkNode, checkVersions } from './check-versions.js';

const directory = mkdtempSync(join(tmpdir(), 'landlord-doctor-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('The doctor, for files', () => {
  it('checks that the data directory exists, is private and has free space', () => {
    chmodSync(directory, 0o700);
    expect(checkDataDirectory({ dataDir: directory }).map(({ check, level }) => [check, level])).toEqual([
      ['data directory', 'ok'],
      ['disk', expect.stringMatching(/ok|warn/)],
    ]);

    chmodSync(directory, 0o755);
    expect(checkDataDirectory({ dataDir: directory })[0]).toMatchObject({
      level: 'warn',
      what: expect.stringContaining('0755'),
    });
    expect(checkDataDirectory({ dataDir: join(directory, 'none') })).toMatchObject([{ level: 'fail' }]);
  });

  it('fails for a key file that is missing or readable for others', () => {
    const file = join(directory, 'secret-keys');
    const config = readConfig({ LANDLORD_DATA_DIR: directory });

    expect(checkKeyFile(config)).toMatchObject({ level: 'fail', what: `${file} does not exist` });
    writeFileSync(file, 'k1:x', { mode: 0o644 });
    expect(checkKeyFile(config)).toMatchObject({ level: 'fail', todo: `Run: chmod 600 ${file}` });
    chmodSync(file, 0o600);
    expect(checkKeyFile(config)).toMatchObject({ level: 'ok' });
  });

  it.each([
    ['18.20.0', 'fail'],
    ['20.18.9', 'fail'],
    ['20.19.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('checks the version of Node.js: %s is %s', (version, level) => {
    expect(checkNode(version).level).toBe(level);
    expect(checkVersions(true).at(-1)).toMatchObject({ check: 'PostgreSQL programs', level: 'ok' });
  });
});

describe('The doctor, for ports', () => {
  it('distinguishes free ports, ports of Landlord and ports of other programs', async () => {
    const ours = await serve((path) => (path === '/health/live' ? 200 : 404));
    const gateway = await serve((path) => (path.startsWith('/agent/') ? 401 : 404));
    const otherProgram = await serve(() => 404);
    const portOf = (server: Server): string => String((server.address() as AddressInfo).port);
    const config = readConfig({
      MAIN_API_PORT: portOf(ours),
      SUPERVISOR_PORT: portOf(otherProgram),
      GATEWAY_PORT: portOf(gateway),
    });

    const findings = await checkPorts(config);
    for (const server of [ours, gateway, otherProgram]) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
    const [free] = await checkPorts(config);

    expect(findings.slice(0, 3)).toMatchObject([
      { level: 'ok', what: 'in use by the main API' },
      { level: 'fail', todo: 'Free the port, or set SUPERVISOR_PORT to another port.' },
      { level: 'ok', what: 'in use by the gateway' },
    ]);
    expect(free).toMatchObject({ level: 'ok', what: 'free for the main API' });
  });

  it.each([
    [[20_000, 29_999], 'ok'],
    [[30_000, 33_000], 'warn'],
    [[61_000, 62_000], 'ok'],
  ] as const)('warns about node ports within the ephemeral range: %j is %s', (range, level) => {
    expect(checkRange([...range], [32_768, 60_999]).level).toBe(level);
  });
});

describe('The doctor, for the queue', () => {
  it('checks that Redis answers and evicts no keys', async () => {
    const good = await redis('noeviction');
    const bad = await redis('allkeys-lru');

    expect(await checkQueue(good.url, null)).toMatchObject([{ level: 'ok' }]);
    expect(await checkQueue(bad.url, null)).toMatchObject([
      { level: 'fail', what: expect.stringContaining('allkeys-lru') },
    ]);
    await Promise.all([good.close(), bad.close()]);
    expect(await checkQueue(good.url, null)).toMatchObject([
      { level: 'fail', what: expect.stringContaining('does not answer') },
    ]);
  });

  it('has nothing to check without a queue', async () => {
    expect(await checkQueue('off', null)).toMatchObject([{ level: 'ok' }]);
  });
});

async function serve(status: (path: string) => number): Promise<Server> {
  const server = createHttpServer((request, response) => response.writeHead(status(request.url ?? '')).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The part of Redis that the doctor needs. */
async function redis(policy: string): Promise<{ url: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', (chunk) => {
      const words = chunk.toString().toLowerCase();
      for (const [command] of words.matchAll(/\r\n(ping|config|client|info)\r\n/g))
        socket.write(
          command.includes('ping')
            ? '+PONG\r\n'
            : command.includes('config')
              ? bulk('maxmemory-policy', policy)
              : '+OK\r\n',
        );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const bulk = (...parts: string[]): string =>
  `*${parts.length}\r\n${parts.map((part) => `$${part.length}\r\n${part}\r\n`).join('')}`;
