import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import {
  describeWithIggy,
  eventually,
  IGGY_LIBRARIES,
  IGGY_SERVER,
  IGGY_SETTINGS,
  IggyHttp,
  TestCloud,
  TestDeployment,
  type BrokerClient,
} from '@libs/testing';

const TEXT_BYTES = 1_000;
const TEXTS = Array.from({ length: 300 }, (_, index) => `${index} `.padEnd(TEXT_BYTES, 'x'));
const SENT_BYTES = TEXTS.length * TEXT_BYTES;
/** What a line of the server's log contains. */
const LINE = /^(\S+Z) +(TRACE|DEBUG|INFO|WARN|ERROR) +(.+)$/;

interface SeenLine {
  at: string;
  level: string;
  message: string;
}

/** Metrics and logs of a node with a real iggy-server, from the API. */
describeWithIggy('The telemetry of a node with iggy', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let node: { id: number; pid: number };
  let client: BrokerClient;
  let http: IggyHttp;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { ...IGGY_SETTINGS, NODE_UNREACHABLE_SECONDS: '8' } });
    deployment = await TestDeployment.free(cloud);
    await deployment.permit();
    client = await deployment.admits();
    const [seen] = await deployment.nodes();
    node = { id: seen?.id ?? 0, pid: seen?.runtimes[0]?.pid ?? 0 };
    const { username, password } = await deployment.login();
    http = await IggyHttp.signIn(Number(seen?.endpoints.http?.split(':')[1]), password, username);
  });
  afterAll(async () => {
    await client.close();
    await cloud.stop();
  });

  const folder = (): string => join(cloud.directory, 'nodes', String(node.id));
  const metrics = async (): Promise<Record<string, number>> =>
    (await cloud.runtime().get(`${deployment.live}/metrics`)).body[0].metrics;
  const linesOf = async (query: string): Promise<SeenLine[]> =>
    (await cloud.runtime().get(`${deployment.live}/logs?runtime=broker&results=100&${query}`)).body.items;
  /** The metrics as soon as these have the values. */
  const reach = (expected: Record<string, number>) => {
    let last: Record<string, number> = {};
    return eventually(
      () => `the metrics are ${JSON.stringify(expected)}: ${JSON.stringify(last)}`,
      async () => {
        last = await metrics();
        return Object.entries(expected).every(([name, value]) => last[name] === value) ? last : null;
      },
    );
  };
  const create = async (path: string, body: object): Promise<void> => {
    const { status, text } = await http.call('POST', path, body);
    expect([path, status < 300, text]).toEqual([path, true, text]);
  };
  const aTopic = (name: string, partitions_count: number) => ({
    ...{ name, partitions_count, compression_algorithm: 'none', message_expiry: 0, max_topic_size: 0 },
  });

  it('counts streams, topics, partitions, segments, messages, groups and clients', async () => {
    await reach({ ...{ streams: 0, topics: 0, partitions: 0, segments: 0, messages: 0 }, consumer_groups: 0 });

    await client.write('sent', ...TEXTS);
    await create('/streams', { name: 'more' });
    await create('/streams/more/topics', aTopic('three', 3));
    await create('/streams/more/topics', aTopic('two', 2));
    for (const name of ['first', 'second']) await create('/streams/more/topics/three/consumer-groups', { name });
    const second = await deployment.client();

    const counted = { streams: 2, topics: 3, partitions: 6, segments: 6, messages: TEXTS.length, consumer_groups: 2 };
    await reach({ ...counted, clients: 2 });
    await second.close();
    await reach({ ...counted, clients: 1 });
    expect((await http.call('DELETE', '/streams/more')).status).toBeLessThan(300);
    await reach({ streams: 1, topics: 1, partitions: 1, segments: 1, messages: TEXTS.length, consumer_groups: 0 });
  });

  it('counts the bytes of clients in both directions, and those on the disk', async () => {
    const before = await metrics();

    await client.write('known', ...TEXTS);
    const written = await eventually('the bytes are counted', async () => {
      const now = await metrics();
      return (now['messages'] ?? 0) >= (before['messages'] ?? 0) + TEXTS.length ? now : null;
    });
    expect(await client.readAll('known', TEXTS.length)).toEqual(TEXTS);
    const read = await eventually('the bytes are counted', async () => {
      const now = await metrics();
      return (now['bytes_out'] ?? 0) >= (written['bytes_out'] ?? 0) + SENT_BYTES ? now : null;
    });

    const grown = (name: string, from: Record<string, number>, to: Record<string, number>): number =>
      ((to[name] ?? 0) - (from[name] ?? 0)) / SENT_BYTES;
    for (const [name, from, to] of [
      ['bytes_in', before, written],
      ['disk_bytes', before, written],
      ['bytes_out', written, read],
    ] as const) {
      expect([name, grown(name, from, to)]).toEqual([name, expect.closeTo(1.25, 0)]);
      expect(grown(name, from, to)).toBeGreaterThanOrEqual(1);
    }
    expect(grown('bytes_out', before, written)).toBeLessThan(0.1);
    expect(grown('bytes_in', written, read)).toBeLessThan(0.1);
  });

  it('has the memory of the server with its agent, and their CPU', async () => {
    const resident = Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${node.pid}/status`, 'utf8'))?.[1]);
    const { memory_bytes: memory } = await metrics();
    // The agent is a process of Node.js.
    expect(memory).toBeGreaterThan(resident * 1_024 * 0.8 + 30e6);
    expect(memory).toBeLessThan(resident * 1_024 * 1.2 + 300e6);

    const busy = await eventually('the CPU is busy', async () => {
      for (let round = 0; round < 20; round += 1) await client.readAll('known', TEXTS.length);
      const { cpu_percent: cpu = 0 } = await metrics();
      return cpu > 10 ? cpu : null;
    });
    expect(busy).toBeLessThan(cpus().length * 100 + 10);
    await eventually('the CPU is idle', async () => ((await metrics())['cpu_percent'] ?? busy) < busy / 2);
  });

  it("has the lines of the server's own log with their levels and times", async () => {
    expect((await http.call('POST', '/streams', { name: '' })).status).toBe(400);
    const [refused] = await eventually('the error is followed', async () => {
      const found = await linesOf('level=error&message=Invalid%20stream%20name');
      return found.length > 0 ? found : null;
    });
    const [warning] = await linesOf('level=warn&message=JWT%20encoding');
    expect(warning?.level).toBe('warn');
    expect(refused?.message).toBe('shard-0 server::http::error: There was an error: Invalid stream name');

    const own = (await readFile(join(folder(), 'data', 'logs', 'iggy-server.log'), 'utf8')).split('\n');
    const followed = await linesOf('');
    const levels = { TRACE: 'debug', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
    const compared = own.flatMap((line) => {
      const [, at = '', level = 'INFO', message = ''] = LINE.exec(line) ?? [];
      const same = followed.filter((one) => one.message === message);
      return same.length === 1 ? [{ at: Date.parse(at), level: levels[level as 'INFO'], seen: same[0] }] : [];
    });
    expect(compared.length).toBeGreaterThan(20);
    for (const { at, level, seen } of compared) {
      expect([seen?.message, seen?.level]).toEqual([seen?.message, level]);
      // The clocks of node and Supervisor are compared by a request, which takes a moment.
      expect(Math.abs(Date.parse(seen?.at ?? '') - at)).toBeLessThan(500);
    }
  });

  it('has a panic of the server as an error, with its message', async () => {
    const half = join(folder(), 'half.env');
    await writeFile(half, 'IGGY_ROOT_USERNAME="landlord-root"\n');
    const env = { IGGY_ENV_PATH: half, ...(IGGY_LIBRARIES !== null && { LD_LIBRARY_PATH: IGGY_LIBRARIES }) };
    const server = spawn(IGGY_SERVER ?? '', [], { cwd: folder(), env, stdio: ['ignore', 'ignore', 'pipe'] });
    let printed = '';
    server.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    await once(server, 'close');
    expect(printed).toContain(' panicked at ');

    await appendFile(join(folder(), 'broker.log'), printed);

    const message = 'both username and password must be set';
    const [line] = await eventually('the panic is followed', async () => {
      const found = await linesOf(`message=${encodeURIComponent(message)}`);
      return found.length > 0 ? found : null;
    });
    expect(line?.level).toBe('error');
    expect((await linesOf('level=error&message=panicked%20at')).length).toBe(1);
  });
});
