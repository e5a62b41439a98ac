import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, nodeProcesses, type Login, type NodeProcess } from '@libs/testing';
import type { MqttClient } from 'mqtt';
import { connectTo } from '../launcher/mqtt-traffic.fixture.js';
import { Newcomer, type Running } from './newcomer.fixture.js';
import { describeRelease } from './release.fixture.js';

const TOPIC = 'greetings';
/** From the first start to the first message, without the installation of packages. */
const PATIENCE_MS = 60_000;

describeRelease('The npm package of the server, in an empty folder of a machine that has only Node', (release) => {
  let newcomer: Newcomer;
  let landlord: Running;
  let deployment: { nodes: { tcp: string }[] } & Login;
  const watch: [label: string, ms: number][] = [];

  const npx = (path: string, ...words: string[]): string[] => ['npx', '--yes', newcomer.named(path), ...words];
  /** The settings of the client, from what the first start has printed. */
  const printed = (): Record<string, string> => ({
    LANDLORD_URL: `http://localhost:${newcomer.port}`,
    LANDLORD_API_KEY: /API key +(\S+)/.exec(landlord.output)?.[1] ?? '',
  });
  const client = (...words: string[]): Promise<string> => newcomer.succeeds(npx(release.client, ...words), printed());

  /** The stop watch. */
  async function timed<T>(label: string, work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const outcome = await work();
    watch.push([label, performance.now() - begin]);
    return outcome;
  }

  async function clientOfBroker(): Promise<MqttClient> {
    const { nodes, username, password } = deployment;
    return connectTo(nodes[0]?.tcp ?? '', { username, password });
  }

  /** Publishes a text, and resolves when a subscriber has received it. */
  async function sends(text: string): Promise<void> {
    const broker = await clientOfBroker();
    try {
      let received = '';
      broker.on('message', (_topic, body) => (received = body.toString()));
      await broker.subscribeAsync(TOPIC, { qos: 1 });
      await broker.publishAsync(TOPIC, text, { qos: 1 });
      await eventually(
        () => `the message arrives, and not ${received}`,
        () => received === text,
      );
    } finally {
      await broker.endAsync(true);
    }
  }

  beforeAll(async () => {
    newcomer = await Newcomer.arrive(release.server, release.client);
    await timed('unpacking of both packages', async () => {
      await newcomer.succeeds(npx(release.server, '--version'));
      await newcomer.succeeds(npx(release.client, '--version'));
    });
    landlord = await timed('first start', () => newcomer.startsLandlord(npx(release.server, 'start')));
    await timed('deployment', () => client('deployments', 'create', '--starter', '--wait'));
    deployment = JSON.parse(await timed('addresses', () => client('deployments', 'connect', '-o', 'json')));
    await timed('message', () => sends('hello'));
  });
  afterAll(() => newcomer.leave());

  it('needs less than a minute from the first start to the first message', () => {
    const [unpacking, ...rest] = watch;
    const total = rest.reduce((sum, [, ms]) => sum + ms, 0);
    const lines = watch.map(([label, ms]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${label}`);
    console.log(`${lines.join('\n')}\n${(total / 1000).toFixed(1).padStart(6)} s  from the first start to the message`);

    expect(unpacking?.[0]).toBe('unpacking of both packages');
    expect(total).toBeLessThan(PATIENCE_MS);
  });

  it('answers the link to the console that the first start has printed', async () => {
    const [link = ''] = /http\S+\/console\/welcome#\S+/.exec(landlord.output) ?? [];
    const { status, headers } = await fetch(link.replace('localhost', '127.0.0.1'));

    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  });

  it('writes only its data, and into the folder of the person nothing', () => {
    expect(newcomer.belongings).toEqual(['.landlord', 'work']);
    expect(readdirSync(newcomer.folder)).toHaveLength(2);
  });

  it('continues without the cache of npx: clients stay, commands work, and a killed broker starts again', async () => {
    const broker = await clientOfBroker();
    let isCut = false;
    broker.on('close', () => (isCut = true));
    for (const name of readdirSync(newcomer.cache).filter((one) => one !== '_cacache'))
      rmSync(join(newcomer.cache, name), { recursive: true });

    await sends('still here');
    expect(isCut).toBe(false);
    const here = [join(newcomer.dataDir, 'bin/landlord'), 'deployments'];
    expect(JSON.parse(await newcomer.succeeds([...here, 'list', '-o', 'json'], printed()))).toHaveLength(1);
    const before = await brokers();
    for (const { pid } of before) process.kill(pid, 'SIGKILL');
    const isNew = ({ pid }: NodeProcess): boolean => before.every((old) => old.pid !== pid);
    await eventually('another broker runs', async () => (await brokers()).some(isNew));
    await sends('here again');

    expect(before).toHaveLength(1);
    expect(landlord.hasEnded).toBe(false);
    await broker.endAsync(true);
  });

  async function brokers(): Promise<NodeProcess[]> {
    const processes = await nodeProcesses(newcomer.installation);
    return processes.filter(({ kind }) => kind === 'broker');
  }
});
