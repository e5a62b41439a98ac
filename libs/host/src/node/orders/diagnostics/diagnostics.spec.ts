import type { DiagnosticLog, NodeDiagnostics, NodeDocument } from '@libs/domain';
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerClock } from '../../gateway/server-clock.js';
import { Diagnostics } from './diagnostics.js';
import { lastLines } from './last-lines.js';

const PASSWORD = 'client-password-planted';
const PREVIOUS = 'previous-password-planted';
const CLUSTER = 'cluster-secret-planted';
const AGENT = 'agent-secret-planted';
const SETTING = 'setting-secret-planted';
const UNKNOWN = 'ld_unknownkeyplanted';
const ENVIRONMENT = 'environment-secret-planted';
const TLS_KEY = 'tls-key-planted-in-base64';
const AUTHORIZATION = `Bearer 7.${AGENT}`;

/** The diagnostics of a node for a snapshot. */
describe('Diagnostics', () => {
  let dir: string;
  let listener: Server;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-diagnostics-'));
    listener = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    process.env['PLANTED_TOKEN'] = ENVIRONMENT;
  });
  afterEach(async () => {
    delete process.env['PLANTED_TOKEN'];
    listener.close();
    await rm(dir, { recursive: true, force: true });
  });

  const documentOf = (port: number): NodeDocument => ({
    ...{ node_id: 7, timeline: 1, generation: 9, hash: 'abc', epoch: 1 },
    spec: {
      ...{ node_id: 7, deployment_id: 3, name: 'node-1' },
      broker: {
        ...{ driver: 'embedded', version: '1.2.0', want: 'running', restart: 0 },
        config: { id: 5, version: 2, values: { 'auth.shared_secret': SETTING, 'mqtt.keep_alive': 60 } },
      },
      listen: { address: '127.0.0.1', ports: { tcp: port, http: 1, websocket: null, udp: null }, peer: null },
      cluster: { size: 1, ordinal: 1, leader: null, secret: CLUSTER },
      credentials: { username: 'user', password: PASSWORD, version: 1 },
      previous_password: { password: PREVIOUS, valid_to: null },
      access_rules: [],
      certs: {
        certificate: 'PEM',
        private_key: `-----BEGIN PRIVATE KEY-----\n${TLS_KEY}\n-----END PRIVATE KEY-----\n`,
      },
    },
  });

  async function collected(redact: boolean, clock = new ServerClock()): Promise<NodeDiagnostics> {
    const log = join(dir, 'agent.log');
    const secrets = [PASSWORD, CLUSTER, AGENT, SETTING, UNKNOWN, TLS_KEY].map((secret) => `here is ${secret} indeed`);
    await writeFile(log, `${secrets.join('\n')}\n`);
    await mkdir(join(dir, 'data/below'), { recursive: true });
    const home = { dir, installation: 'test', nodeId: 7 };
    const diagnostics = new Diagnostics({
      ...{ home, binaries: {}, clock, logSources: () => [{ runtime: 'agent', path: log }] },
      broker: {
        observed: { timeline: 1, generation: 8, hash: 'abb' },
        gate: { mode: 'inline', generation: 8 },
        stats: () => Promise.reject(new TypeError(`no stats for ${PASSWORD}`)),
        runtimeReport: () => ({
          ...{ runtime: 'broker', status: 'failed', version: '1.2.0', started_at: null, pid: process.pid },
          ...{ restarts: 3, last_error: `wrong password ${PASSWORD} or ${PREVIOUS}` },
        }),
      },
      connectors: { runtimeReport: () => null },
    });
    const document = documentOf((listener.address() as AddressInfo).port);
    return diagnostics.collect(document, { redact_secrets: redact }, AUTHORIZATION, []);
  }

  it('contain no secret, wherever it was', async () => {
    const text = JSON.stringify(await collected(true));

    for (const secret of [PASSWORD, CLUSTER, AGENT, SETTING, UNKNOWN, ENVIRONMENT, TLS_KEY])
      expect(text).not.toContain(secret);
    expect(text).toContain('"PLANTED_TOKEN":"********"');
  });

  it("contain the user's secrets on request, and never those of Landlord", async () => {
    const text = JSON.stringify(await collected(false));

    for (const secret of [PASSWORD, SETTING, UNKNOWN, ENVIRONMENT]) expect(text).toContain(secret);
    for (const secret of [CLUSTER, AGENT, TLS_KEY]) expect(text).not.toContain(secret);
  });

  it('describe the machine, its processes and ports, with the time of the server', async () => {
    const clock = new ServerClock(3_600_000);

    const { machine, processes, ports, taken_at: takenAt, document, failures, runtimes } = await collected(true, clock);

    expect(machine).toMatchObject({ cpus: expect.any(Number), load: [0, 0, 0].map(() => expect.any(Number)) });
    expect(machine.disk_total_bytes).toBeGreaterThan(0);
    expect(processes['broker']?.rss_bytes).toBeGreaterThan(10_000_000);
    expect(ports.map(({ name, answers }) => [name, answers])).toEqual([
      ['tcp', true],
      ['http', false],
    ]);
    expect(Date.parse(takenAt) - Date.now()).toBeGreaterThan(3_500_000);
    expect([document.wanted.generation, document.observed.generation]).toEqual([9, 8]);
    // The failure of one fact is reported, and the others are collected.
    expect(failures).toEqual([{ what: 'gauges', why: 'no stats for ********' }]);
    expect(runtimes[0]).toMatchObject({ restarts: 3, last_error: 'wrong password ******** or ********' });
  });

  it('contain the last lines of a log, including the rotated file', async () => {
    const path = join(dir, 'broker.log');
    const linesOf = async (): Promise<DiagnosticLog['lines']> => (await lastLines(path, (text) => text, Number)).lines;
    await writeFile(path, Array.from({ length: 1_990 }, (_, index) => `old ${index}\n`).join(''));
    await rename(path, `${path}.1`);
    await writeFile(path, '{"level":"warn","time":"2026-11-21T12:00:00.000Z","msg":"careful","reason":"full"}\n');
    await appendFile(path, Array.from({ length: 49 }, (_, index) => `new ${index}\n`).join(''));

    const lines = await linesOf();

    expect(lines).toHaveLength(2_000);
    expect([lines[0]?.message, lines.at(-1)?.message]).toEqual(['old 40', 'new 48']);
    expect(lines[1_950]).toEqual({
      at: Date.parse('2026-11-21T12:00:00Z'),
      level: 'warn',
      message: 'careful reason=full',
    });
    await rm(path);
    await rm(`${path}.1`);
    expect(await linesOf()).toEqual([]);
  });
});
