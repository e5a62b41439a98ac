import { appendFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogLine } from '@libs/domain';
import { describeWithIggy, IGGY_BINARIES, IggyHttp } from '@libs/testing';
import { NodeUnderTest, until } from '../../../test/node/agent.fixture.js';

const REQUESTS = 200;
const nodes: NodeUnderTest[] = [];

async function aNode(values: Record<string, unknown>): Promise<NodeUnderTest> {
  const node = await NodeUnderTest.create(IGGY_BINARIES);
  nodes.push(node);
  // Below the range of the private ports, which the server could get otherwise.
  Object.assign(node.spec.listen.ports, { http: (node.spec.listen.ports.tcp ?? 0) + 1 });
  node.spec.access_rules[0]?.protocols.push('http');
  Object.assign(node.spec.broker.config.values, values);
  node.gateway.publish(node.spec, 1);
  node.startAgent();
  await node.running(1);
  return node;
}

/** At this level the server writes a line for each request. */
const chatty = (total: string) => ({
  ...{ 'system.logging.level': 'debug', 'system.logging.max_file_size': '20 KB' },
  ...{ 'system.logging.max_total_size': total, 'system.logging.rotation_check_interval': '1 s' },
});

async function askMuch({ spec }: NodeUnderTest): Promise<void> {
  const client = await IggyHttp.signIn(spec.listen.ports.http);
  for (let request = 0; request < REQUESTS; request += 1) await client.call('GET', `/streams/gone-${request}`);
}

const linesOf = ({ gateway }: NodeUnderTest): LogLine[] => gateway.logs.flatMap(({ lines }) => lines);
const askedIn = (node: NodeUnderTest): number[] =>
  linesOf(node).flatMap(({ message }) => {
    const [, request] = /Processing a request GET \/streams\/gone-(\d+) /.exec(message) ?? [];
    return request === undefined ? [] : [Number(request)];
  });

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('the log of iggy-server', () => {
  it('is sent whole, each line once, while the server rotates it faster than the agent reads it', async () => {
    const node = await aNode(chatty('10 MB'));

    await askMuch(node);
    await until('the last request is sent', () => askedIn(node).includes(REQUESTS - 1));

    expect(askedIn(node)).toEqual(Array.from({ length: REQUESTS }, (_, request) => request));
    const rotated = await readdir(join(node.home.dir, 'data', 'logs'));
    expect(rotated.length).toBeGreaterThan(3);
  });

  it('stays below its size on the disk', async () => {
    const node = await aNode(chatty('60 KB'));

    await askMuch(node);

    const folder = join(node.home.dir, 'data', 'logs');
    const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
    expect(files.length).toBeGreaterThan(1);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    // The server counts the rotated files only, and each file may be longer by a line.
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(85_000);
  });

  it('keeps one older file of what the server prints, and each printed line is sent once', async () => {
    const node = await aNode({});
    const printed = join(node.home.dir, 'broker.log');
    const lines = Array.from({ length: 1_500 }, (_, index) => `printed ${index} ${'x'.repeat(3_900)}`);
    await appendFile(printed, `${lines.join('\n')}\n`);

    for (const [index, generation] of [2, 3].entries()) {
      const { broker } = node.spec;
      node.gateway.publish({ ...node.spec, broker: { ...broker, restart: index + 1 } }, generation);
      await node.running(generation);
    }
    const numbers = (): number[] =>
      linesOf(node).flatMap(({ message }) => {
        const [, number] = /^printed (\d+) /.exec(message) ?? [];
        return number === undefined ? [] : [Number(number)];
      });
    await until('the last printed line is sent', () => numbers().includes(lines.length - 1));

    expect(numbers()).toEqual(lines.map((_, index) => index));
    const files = (await readdir(node.home.dir)).filter((name) => name.startsWith('broker.log'));
    expect(files.sort()).toEqual(['broker.log', 'broker.log.1']);
    expect((await stat(printed)).size).toBeLessThan(1_000);
    expect((await stat(`${printed}.1`)).size).toBeLessThan(lines.join('\n').length + 1_000);
  });
});
