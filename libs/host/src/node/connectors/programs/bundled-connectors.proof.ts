import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithNats, eventually, NATS_SERVER } from '@libs/testing';
import { extract } from 'tar';
import { writeArtifacts, type WrittenArtifact } from '../../../../../../scripts/artifacts/artifacts.mjs';
import { NodeUnderTest } from '../../../../test/node/agent.fixture.js';
import {
  contact,
  report,
  runner,
  SINK,
  SOURCE,
  status,
  withConnectors,
} from '../../../../test/node/connectors.fixture.js';

let place: string;
let artifacts: WrittenArtifact[];
let node: NodeUnderTest;

/** The gateway is played. The agent runs from its artifact, and finds no plugin beside itself. */
describe('The connectors of a bundled agent', () => {
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'landlord-bundle-'));
    artifacts = await writeArtifacts(join(place, 'artifacts'));
  });
  afterAll(() => rm(place, { recursive: true, force: true }));
  afterEach(() => node.destroy());

  const hashOf = (name: string): string =>
    artifacts.find((one) => one.name === name && ['any', process.arch].includes(one.arch))?.sha256 ?? '';
  const contentOf = (name: string): Promise<Buffer> => readFile(join(place, 'artifacts', hashOf(name)));
  const fetched = (): string[] =>
    artifacts.filter(({ sha256 }) => node.gateway.fetched.includes(sha256)).map(({ name }) => name);
  const folders = (): string[] =>
    readdirSync(join(node.home.dir, 'connectors-program')).filter((name) => name !== 'archives');

  /** A node whose next agent runs from the artifacts. The gateway offers all parts. */
  async function bundled(binaries = {}, ...names: string[]): Promise<void> {
    node = await NodeUnderTest.create(binaries);
    const folder = await mkdtemp(join(place, 'agent-'));
    for (const name of ['agent', ...names])
      await extract({ cwd: folder, file: join(place, 'artifacts', hashOf(name)), strict: true });
    await offer(hashOf('agent'));
    await node.runBundle(folder, hashOf('agent'));
  }

  async function offer(agent: string): Promise<void> {
    const parts = artifacts.filter(({ over, arch }) => over !== null && ['any', process.arch].includes(arch));
    node.gateway.parts.set(
      agent,
      parts.map(({ name, sha256, bytes }) => ({ name, sha256, bytes })),
    );
    for (const { name, sha256 } of parts) node.gateway.artifacts.set(sha256, await contentOf(name));
  }

  async function movesAll(): Promise<void> {
    // After the sink has subscribed, all messages reach it.
    await status(node, 'the sink runs', (one) => report(one, 2)?.status === 'running');
    node.gateway.publish(withConnectors(node.spec, [SINK, SOURCE]), 2);
    await status(node, 'all have moved', (one) => (report(one, 2)?.messages ?? 0) >= 40);
    expect(await node.log('connectors')).toContain('"payload":"{');
  }

  it('run with the plugins that they use, and the node fetches no other one', async () => {
    await bundled({}, 'embedded');
    node.gateway.publish(node.spec, 1);
    node.startAgent();
    await node.running(1);
    expect(node.gateway.fetched).toEqual([]);
    node.gateway.publish(withConnectors(node.spec, [SINK]), 2);
    await status(node, 'the sink runs', (one) => report(one, 2)?.status === 'running');
    expect(fetched()).toEqual(['connector-stdout-sink']);
    const { pid } = await contact(node);
    node.gateway.publish(withConnectors(node.spec, [SINK, SOURCE]), 3);
    await status(node, 'all have moved', (one) => (report(one, 2)?.messages ?? 0) >= 40);

    expect(fetched()).toEqual(['connector-random-source', 'connector-stdout-sink']);
    expect((await contact(node)).pid).toBe(pid);
  });

  describeWithNats('with nats', () => {
    it('also get the store of refused messages', async () => {
      await bundled({ nats: NATS_SERVER ?? '' });
      node.gateway.publish(withConnectors(node.spec, [SINK]), 1);
      node.startAgent();
      await movesAll();

      expect(fetched()).toEqual(['connector-random-source', 'connector-stdout-sink', 'connectors-store']);
    });
  });

  it('report the plugin that another content came for, and run it when the right one comes', async () => {
    await bundled({}, 'embedded');
    const [sha256, right] = [hashOf('connector-stdout-sink'), await contentOf('connector-stdout-sink')];
    node.gateway.artifacts.set(sha256, await contentOf('connector-http-sink'));
    node.gateway.publish(withConnectors(node.spec, [SINK, SOURCE]), 1);
    node.startAgent();

    const failed = await status(node, 'it has failed', (one) => report(one, 2)?.status === 'failed');
    expect(report(failed, 2)?.error).toMatch(/^the artifact of the sink stdout is damaged: /);
    const others = await status(node, 'the source runs', (one) => report(one, 1)?.status === 'running');
    expect(others.runtimes.map(({ status: one }) => one)).toEqual(['running', 'running']);
    node.gateway.artifacts.set(sha256, right);
    const repaired = await status(node, 'it runs', (one) => report(one, 2)?.status === 'running');
    expect(report(repaired, 2)?.error).toBeNull();
  });

  it('continue with their plugins while a new agent lacks them, and then change to those of the new agent', async () => {
    await bundled({}, 'embedded');
    node.gateway.publish(withConnectors(node.spec, [SINK]), 1);
    node.startAgent();
    await movesAll();
    const before = await contact(node);
    await node.endAgent('SIGTERM');
    const next = createHash('sha256').update('the next agent').digest('hex');
    const folder = await mkdtemp(join(place, 'next-'));
    await cp(join(node.home.dir, 'connectors-program', hashOf('agent')), folder, { recursive: true });
    await rm(join(folder, 'plugins'), { recursive: true });
    await writeFile(join(folder, 'release.txt'), 'next');
    await node.runBundle(folder, next);
    const statusCount = node.gateway.statuses.length;
    node.startAgent();
    const afterStart = (what: string, generation: number) =>
      eventually(what, () =>
        node.gateway.statuses
          .slice(statusCount)
          .find((one) => one.observed.generation === generation && report(one, 2)),
      );

    const waiting = await afterStart('the new agent reports', 2);
    expect(report(waiting, 2)).toMatchObject({ status: 'running', messages: 40 });
    await eventually('it has its own folder', () => folders().length === 2);
    expect((await contact(node)).pid).toBe(before.pid);
    await offer(next);

    await eventually('only the new folder is left', () => folders().join() === next);
    const { pid } = await contact(node);
    expect(pid).not.toBe(before.pid);
    const after = await eventually('it runs', () =>
      node.gateway.statuses
        .slice(statusCount)
        .find((one) => runner(one)?.pid === pid && report(one, 2)?.status === 'running'),
    );
    expect(report(after, 2)).toMatchObject({ messages: 40, error: null });
  });
});
