import { EventEmitter, once } from 'node:events';
import { Logger } from '@nestjs/common';
import type { CloudRefusal, Resource, ResourceSpecs, ResourceState } from '@libs/cloud';
import { CellProcessesRepository } from '@libs/persistence/organization';
import {
  NodeAgentsRepository,
  NodeDocumentsRepository,
  NodeRevivalsRepository,
  NodesRepository,
  RedirectionsRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { eventually, WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { DeploymentResources } from '../lifecycle/index.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { NodeReconciler } from './node-reconciler.js';
import { NodeReplacement } from './node-replacement.js';

const SILENT_FOR = `interval '10 minutes'`;
const LONG_UP_MS = 3600_000;

class Reviver extends NodeReconciler {
  up = LONG_UP_MS;

  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }

  protected override upMs(): number {
    return this.up;
  }
}

describe('The reconciler of silent nodes', () => {
  let bench: WorkflowBench;
  let cells = 0;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  /** A deployment with silent nodes in its own cell, and a Supervisor whose gateway has listened for an hour. */
  async function given(nodes: number) {
    const cell = `silent-${(cells += 1)}`;
    const fixture = await LifecycleFixture.serving(bench, Math.min(nodes, 3));
    const { cloud, deploymentId } = fixture;
    await bench.rows('update deployment_runtimes set cell = $2 where deployment_id = $1', [deploymentId, cell]);
    await bench.rows(
      `insert into cell_processes (id, cell, has_gateway, version, started_at) values ($1, $1, true, '1', now() - interval '1 hour')`,
      [cell],
    );
    await multiply(fixture, nodes);
    await bench.rows(
      `update nodes set last_seen_at = now() - ${SILENT_FOR} - make_interval(secs => (1000000 - id) / 1000.0), credential_confirmed = true
        where deployment_id = $1`,
      [deploymentId],
    );
    const rows = await bench.rows<{ id: number }>('select id from nodes where deployment_id = $1 order by id', [
      deploymentId,
    ]);
    const ids = rows.map(({ id }) => Number(id));
    cloud.calls.length = 0;
    const config = { SUPERVISOR_CELL: cell, NODE_UNREACHABLE_SECONDS: 120 } as SupervisorConfig;
    const { database, secrets } = bench;
    const reviver = (): Reviver =>
      new Reviver(
        new NodesRepository(database),
        new NodeRevivalsRepository(database),
        new RuntimesRepository(database),
        new CellProcessesRepository(database),
        fixture.module.get(DeploymentResources, { strict: false }),
        new NodeReplacement(
          database,
          new NodeAgentsRepository(database, secrets),
          new NodeRevivalsRepository(database),
          new NodesRepository(database),
          new NodeDocumentsRepository(database, secrets),
          new RedirectionsRepository(database),
        ),
        config,
      );
    const name = (id: number): string => `ld-test-${deploymentId}-node-${id}`;
    return { fixture, cloud, ids, name, reviver, one: reviver(), cell };
  }

  /** Adds rows and machines like those of the first node. */
  async function multiply({ deploymentId, cloud }: LifecycleFixture, nodes: number): Promise<void> {
    const added = await bench.rows<{ id: number }>(
      `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size, status)
       select $1, ordinal, 'node-' || ordinal, 'follower', 'embedded', '1.2.0', 'image', 'network_balanced', 100, 'running'
         from generate_series(4, $2::int) ordinal returning id`,
      [deploymentId, nodes],
    );
    const [like] = [...cloud.resources.values()].filter(({ kind }) => kind === 'node') as Resource<'node'>[];
    for (const { id } of added) {
      const name = `ld-test-${deploymentId}-node-${id}`;
      cloud.resources.set(name, { ...(like as Resource<'node'>), name, tags: { ...like!.tags, node_id: Number(id) } });
    }
  }

  type Given = Awaited<ReturnType<typeof given>>;
  const become = ({ cloud, name }: Given, id: number, state: ResourceState): void => {
    cloud.resources.set(name(id), { ...(cloud.resources.get(name(id)) as Resource), state });
  };
  const isRedirecting = async ({ fixture }: Given): Promise<boolean> =>
    (
      await bench.rows<{ is: boolean }>(
        'select redirecting_since is not null as is from deployment_runtimes where deployment_id = $1',
        [fixture.deploymentId],
      )
    )[0]?.is ?? false;
  const epoch = async (id: number): Promise<number> =>
    (await bench.rows<{ epoch: number }>('select epoch from nodes where id = $1', [id]))[0]?.epoch ?? 0;
  const revival = async (id: number) =>
    (
      await bench.rows<{ tries: number; pause: number }>(
        'select tries, extract(epoch from due_at - tried_at)::float8 as pause from node_revivals where node_id = $1',
        [id],
      )
    )[0];
  const makeDue = async (...ids: number[]): Promise<void> =>
    void (await bench.rows('update node_revivals set due_at = now() where node_id = any($1)', [ids]));
  const seeGoneAgo = async (id: number, seconds: number): Promise<void> =>
    void (await bench.rows(
      'update node_revivals set gone_since = now() - make_interval(secs => $2), due_at = now() where node_id = $1',
      [id, seconds],
    ));

  it('starts the agent of a machine again, and leaves a machine alone whose agent runs', async () => {
    const world = await given(2);
    const [dead = 0, alive = 0] = world.ids;
    become(world, dead, 'pending');

    await world.one.once();

    expect(world.cloud.calls).toEqual(['describe', 'ensure']);
    expect(world.cloud.resources.get(world.name(dead))?.state).toBe('active');
    expect([await epoch(dead), await epoch(alive)]).toEqual([1, 1]);
  });

  it('reaches the 51st node although 50 others cannot be revived', async () => {
    const world = await given(51);
    const last = world.ids.at(-1) ?? 0;
    for (const id of world.ids) become(world, id, 'pending');
    const refuse = (named: string): CloudRefusal | null =>
      named === world.name(last) ? null : { code: 'capacity', what: 'small', zone: 'a' };
    world.cloud.refuses = () => null;
    const ensure = world.cloud.ensure.bind(world.cloud);
    world.cloud.ensure = (kind, named, ...rest) => {
      world.cloud.refuses = refuse;
      return ensure(kind, named, ...rest).finally(() => (world.cloud.refuses = () => null));
    };

    await world.one.once();
    await world.one.once();

    expect(world.cloud.resources.get(world.name(last))?.state).toBe('active');
  });

  it('tries a node more and more rarely, and at once after the node has reported', async () => {
    const world = await given(1);
    const [id = 0] = world.ids;
    const pauses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      become(world, id, 'pending');
      await makeDue(id);
      await world.one.once();
      pauses.push((await revival(id))?.pause ?? 0);
    }
    const calls = world.cloud.calls.length;
    await world.one.once();

    expect(world.cloud.calls).toHaveLength(calls);
    expect(pauses[0]).toBeLessThan(7);
    expect(pauses[3]).toBeGreaterThan(4 * (pauses[0] ?? 0));
    expect(pauses[7]).toBeGreaterThan(200);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(375);
    await bench.rows(`update nodes set last_seen_at = now() - interval '40 seconds' where id = $1`, [id]);
    await bench.rows(`update node_revivals set tried_at = now() - interval '50 seconds' where node_id = $1`, [id]);
    await world.one.once();
    expect(await revival(id)).toMatchObject({ tries: 1 });
  });

  it('replaces a node only when two looks, 60 seconds apart, do not find the machine', async () => {
    const world = await given(1);
    const [id = 0] = world.ids;
    const epochs: number[] = [];
    const ensure = world.cloud.ensure.bind(world.cloud);
    world.cloud.ensure = async (...call) => {
      epochs.push(await epoch(id));
      return ensure(...call);
    };
    world.cloud.resources.delete(world.name(id));

    await world.one.once();
    await seeGoneAgo(id, 59);
    await world.one.once();
    expect(await epoch(id)).toBe(1);
    expect(world.cloud.calls).toEqual(['describe', 'describe']);
    await seeGoneAgo(id, 61);
    await world.reviver().once();

    // The old agent is fenced before the new machine is requested.
    expect(epochs).toEqual([2]);
    expect(world.cloud.resources.has(world.name(id))).toBe(true);
  });

  it('forgets that a machine was missing when a look finds the machine', async () => {
    const world = await given(1);
    const [id = 0] = world.ids;
    const machine = world.cloud.resources.get(world.name(id)) as Resource;
    world.cloud.resources.delete(world.name(id));
    await world.one.once();
    await seeGoneAgo(id, 61);

    world.cloud.resources.set(world.name(id), machine);
    await world.one.once();
    world.cloud.resources.delete(world.name(id));
    await makeDue(id);
    await world.one.once();

    expect(await epoch(id)).toBe(1);
  });

  it('replaces a node at once that the provider reports as ended', async () => {
    const world = await given(1);
    const [id = 0] = world.ids;
    become(world, id, 'failed');

    await world.one.once();

    expect(await epoch(id)).toBe(2);
    expect(world.cloud.calls).toEqual(['describe', 'ensure']);
  });

  it('tells the other nodes the address of a replacement, which is a new incarnation of the node', async () => {
    const world = await given(2);
    const [lost = 0, other = 0] = world.ids;
    become(world, lost, 'failed');
    const incarnations: number[] = [];
    const ensure = world.cloud.ensure.bind(world.cloud);
    world.cloud.ensure = async (kind, ref, spec, ...rest) => {
      incarnations.push((spec as ResourceSpecs['node']).incarnation);
      const resource = await ensure(kind, ref, spec, ...rest);
      return { ...resource, attributes: { ...resource.attributes, private_ip: '192.0.2.77' } };
    };

    await world.one.once();

    const { database, secrets } = bench;
    const document = await new NodeDocumentsRepository(database, secrets).find(other);
    expect(incarnations[0]).toBe(2);
    expect(document?.spec.cluster.leader?.host).toBe('192.0.2.77');
    expect(await isRedirecting(world)).toBe(true);
  });

  it.each([
    ['failed', true],
    ['pending', false],
  ] as const)('leads clients to the machine of a node that is %s: %s', async (state, isRedirected) => {
    const world = await given(1);
    become(world, world.ids[0] ?? 0, state);

    await world.one.once();

    expect(await isRedirecting(world)).toBe(isRedirected);
  });

  it('requests a missing machine again that no agent has registered, with the same identity', async () => {
    const world = await given(1);
    const [id = 0] = world.ids;
    await bench.rows('update nodes set credential_confirmed = false where id = $1', [id]);
    world.cloud.resources.delete(world.name(id));

    await world.one.once();

    expect(world.cloud.resources.has(world.name(id))).toBe(true);
    expect(await epoch(id)).toBe(1);
  });

  it('describes nothing within one heartbeat of its own start, or of the start of the gateway', async () => {
    const world = await given(1);
    world.one.up = 9_900;
    await world.one.once();
    world.one.up = LONG_UP_MS;
    await bench.rows(`update cell_processes set started_at = now() - interval '9 seconds' where cell = $1`, [
      world.cell,
    ]);
    await world.one.once();
    expect(world.cloud.calls).toEqual([]);

    await bench.rows(`update cell_processes set started_at = now() - interval '11 seconds' where cell = $1`, [
      world.cell,
    ]);
    world.one.up = 10_100;
    await world.one.once();

    expect(world.cloud.calls).toEqual(['describe']);
  });

  it('stops at a throttled call, and the other nodes are due in the next pass', async () => {
    const world = await given(20);
    for (const id of world.ids) become(world, id, 'pending');
    const ensure = world.cloud.ensure.bind(world.cloud);
    world.cloud.ensure = (kind, named, ...rest) => {
      world.cloud.refuses = () => ({ code: 'throttled', retry_after_ms: 1000 });
      return ensure(kind, named, ...rest);
    };

    await world.one.once();

    expect(world.cloud.calls).toEqual(['describe', ...Array<string>(5).fill('ensure')]);
    const due = await bench.rows(
      'select 1 from node_revivals where due_at <= now() and tries = 0 and node_id = any($1)',
      [world.ids],
    );
    expect(due).toHaveLength(15);
  });

  it('leaves the nodes of an account alone that refuses Landlord, and revives the nodes of others', async () => {
    const theirs = await given(1);
    const ours = await given(1);
    const [refused = 0, dead = 0] = [theirs, ours].flatMap(({ ids }) => ids);
    await bench.rows(
      `insert into deployment_accounts (deployment_id, account_id, access) values ($1, '111122223333', 'sealed')`,
      [theirs.fixture.deploymentId],
    );
    await bench.rows('update deployment_runtimes set cell = $2 where deployment_id = $1', [
      ...[theirs.fixture.deploymentId, ours.cell],
    ]);
    become(ours, dead, 'pending');
    const nodes = [...theirs.cloud.resources.values()].filter(({ kind }) => kind === 'node');
    for (const node of nodes) ours.cloud.resources.set(node.name, { ...node, state: 'failed' });
    ours.cloud.refuses = (name) => (name === theirs.name(refused) ? { code: 'denied', actions: [] } : null);

    await ours.one.once();
    await makeDue(refused);
    await ours.one.once();

    expect(ours.cloud.resources.get(ours.name(dead))?.state).toBe('active');
    expect([await epoch(refused), await epoch(dead)]).toEqual([1, 1]);
    ours.cloud.refuses = () => null;
    await makeDue(refused);
    await ours.one.once();
    expect(await epoch(refused)).toBe(2);
  });

  it('leaves a node to another Supervisor that takes the node at the same moment', async () => {
    const world = await given(1);
    const rows = new NodeRevivalsRepository(bench.database);
    const search = { cell: world.cell, silentSeconds: 30, pauseSeconds: 5, limit: 10 };
    const moments = new EventEmitter();
    const [begun, committing] = [once(moments, 'begun'), once(moments, 'committing')];
    const other = bench.database.transaction(async () => {
      expect(await rows.take(search)).toHaveLength(1);
      moments.emit('begun');
      await committing;
    });
    await begun;

    const pass = world.one.once();
    await eventually('the pass waits for the other', async () => {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await bench.rows(waiting)).length > 0;
    });
    moments.emit('committing');
    await Promise.all([other, pass]);

    expect(world.cloud.calls).toEqual([]);
  });

  it.each(['active', 'pending'] as const)(
    'costs at most 50 calls in the first minute of 10,000 silent nodes that are %s',
    async (state) => {
      const world = await given(10_000);
      for (const id of world.ids) become(world, id, state);

      // One pass every five seconds.
      for (let pass = 0; pass < 12; pass += 1) await world.one.once();

      expect(world.cloud.calls.length).toBeLessThanOrEqual(50);
      const tried = await bench.rows('select 1 from node_revivals where node_id = any($1)', [world.ids]);
      expect(tried).toHaveLength(6_000);
    },
    60_000,
  );
});
