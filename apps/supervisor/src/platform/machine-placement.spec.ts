import { randomUUID } from 'node:crypto';
import { CloudError, MachinesProvider, type NodeResourceSpec, type ResourceRef } from '@libs/cloud';
import { MachinePlacementRepository, MachineResourcesRepository } from '@libs/persistence/runtime';
import { refTo, WorkflowBench } from '@libs/testing';
import { joinedMachine } from '../../test/joined-machine.fixture.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';

const REGION = 'us-east-1';

describe('The driver machines places a node', () => {
  let bench: WorkflowBench;
  let cell: string;
  let cloud: MachinesProvider;
  let deployments: number[];
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    deployments = [];
    for (let count = 0; count < 2; count += 1)
      deployments.push((await LifecycleFixture.ordered(bench, 1)).deploymentId);
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    cell = randomUUID();
    cloud = new MachinesProvider(
      new MachinePlacementRepository(bench.database, cell),
      new MachineResourcesRepository(bench.database),
      'here',
    );
  });
  afterEach(() => bench.rows('delete from machine_nodes'));

  const machine = (hostname: string, more: object = {}) =>
    joinedMachine(bench, { cell, region: REGION, zone: 'a', hostname, ...more });
  const node = (more: Partial<NodeResourceSpec> = {}): NodeResourceSpec => ({
    ...{
      node_id: 1,
      incarnation: 1,
      broker: 'embedded',
      variant: 'small',
      cpus: 2,
      memory_mib: 4096,
      is_dedicated: false,
    },
    ...{
      region: REGION,
      zone: 'a',
      image_id: '',
      network: '',
      firewall: '',
      memory_floor_mib: 0,
      ports: [],
      token: '',
    },
    ...{ storage: { type: 'ssd', size_gib: 100 } },
    ...more,
  });
  const ref = (name: string): ResourceRef => refTo(`${cell} ${name}`);
  /** The hostname of the machine that gets the node. */
  const placed = async (name: string, more: Partial<NodeResourceSpec> = {}, deployment = 0): Promise<string> => {
    const tags = { installation: 'here', deployment_id: deployments[deployment] ?? 0, node_id: 1 };
    return (await cloud.ensure('node', ref(name), node(more), tags)).attributes.image_id;
  };
  const refusal = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await work.then(
      () => null,
      (caught: unknown) => caught,
    );
    return error instanceof CloudError ? error.refusal : error;
  };
  const capacity = (what: string, zone = 'a') => ({ code: 'capacity', what, zone });
  const generation = async (hostname: string) =>
    (
      await bench.rows<{ generation: number }>(
        'select generation::int from machines where cell = $1 and hostname = $2',
        [cell, hostname],
      )
    )[0]?.generation;

  it('on the machine with the fewest nodes of the deployment, then with the most free memory', async () => {
    await machine('small', { memory_mib: 16_384 });
    await machine('large');

    expect(await placed('one')).toBe('large');
    expect(await placed('two')).toBe('small');
    expect(await placed('three')).toBe('large');
    expect(await placed('other', {}, 1)).toBe('large');
  });

  it('once: a repeated call keeps the machine, and tells the machine nothing new', async () => {
    await machine('only');
    await placed('one');
    const before = await generation('only');
    await machine('larger', { memory_mib: 1_000_000 });

    expect(await placed('one')).toBe('only');
    expect(await generation('only')).toBe(before);
  });

  it.each([
    ['memory', { memory_mib: 4095 }],
    ['processors', { cpus: 1 }],
    ['disk', { disk_gib: 99 }],
  ])('only where enough is left: %s', async (what, less) => {
    await machine('host', less);

    expect(await refusal(placed('one'))).toEqual(capacity(what));
  });

  it('never on a machine of another cell, region or zone, and not on a draining, removed, silent or reserved one', async () => {
    await machine('elsewhere', { cell: randomUUID() });
    await machine('far', { region: 'eu-west-1' });
    await machine('beside', { zone: 'b' });
    await machine('draining', { status: 'draining' });
    await machine('removed', { status: 'removed' });
    await machine('silent', { silentFor: 61 });
    await machine('reserved');
    await bench.rows(`update machines set reserved_for = 'another' where cell = $1 and hostname = 'reserved'`, [cell]);

    expect(await refusal(placed('one'))).toEqual(capacity('machines'));
    expect(await placed('two', { zone: 'b' })).toBe('beside');
  });

  it('that is dedicated on a machine without nodes of other deployments, and gives the machine to no other', async () => {
    await machine('shared');
    await placed('one', {}, 1);

    expect(await refusal(placed('alone', { is_dedicated: true }))).toEqual(capacity('empty machines'));
    await machine('empty', { memory_mib: 8192 });
    expect(await placed('alone', { is_dedicated: true })).toBe('empty');
    expect(await placed('same', { is_dedicated: true })).toBe('empty');
    await bench.rows(`update machines set status = 'draining' where cell = $1 and hostname = 'shared'`, [cell]);
    expect(await refusal(placed('stranger', {}, 1))).toEqual(capacity('empty machines'));
  });

  it('within the machine although twenty calls come at once', async () => {
    await machine('host', { memory_mib: 5 * 4096 });

    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => refusal(placed(`node ${index}`))));

    expect(answers.filter((answer) => answer === null)).toHaveLength(5);
    expect(answers.filter((answer) => answer !== null)).toEqual(Array(15).fill(capacity('memory')));
  });

  it('in its new size on its machine, or refuses the size', async () => {
    await machine('host', { memory_mib: 8192 });
    await placed('one');

    expect(await placed('one', { memory_mib: 8192 })).toBe('host');
    expect(await refusal(placed('one', { memory_mib: 8193 }))).toEqual(capacity('memory'));
    await bench.rows(`update machines set memory_mib = 1024 where cell = $1`, [cell]);
    // The machine has less than it said. Its nodes stay.
    expect(await placed('one', { memory_mib: 8192 })).toBe('host');
  });

  it('that stays pending, with the reason, while its machine does not report', async () => {
    await machine('host');
    await placed('one');
    await bench.rows(`update machine_nodes set state = 'active'`);
    await bench.rows(`update machines set last_seen_at = now() - interval '61 seconds' where cell = $1`, [cell]);

    const seen = (await cloud.describe('node', [ref('one')])).get(ref('one').name);

    expect(seen).toMatchObject({ state: 'pending', reason: 'the machine host does not report' });
  });

  it('that its machine reports as failed is no lost node', async () => {
    await machine('host');
    await placed('one');
    await bench.rows(`update machine_nodes set state = 'failed', reason = 'port 20001 is in use'`);

    const seen = (await cloud.describe('node', [ref('one')])).get(ref('one').name);

    expect(seen).toMatchObject({ state: 'pending', reason: 'port 20001 is in use' });
  });

  it('never during its deletion, which ends when its machine reports that nothing is left', async () => {
    await machine('host');
    await placed('one');
    const before = (await generation('host')) ?? 0;
    await cloud.destroy('node', ref('one'));
    await cloud.destroy('node', ref('one'));

    const tags = { installation: 'here', deployment_id: deployments[0] ?? 0, node_id: 1 };
    expect((await cloud.ensure('node', ref('one'), node({ incarnation: 2 }), tags)).state).toBe('deleting');
    expect(await generation('host')).toBe(before + 1);
    await bench.rows(`delete from machine_nodes where intent = 'absent'`);
    expect((await cloud.ensure('node', ref('one'), node(), tags)).state).toBe('pending');
  });

  it('again as a new incarnation, whose state is not that of the old one', async () => {
    await machine('host');
    await placed('one');
    await bench.rows(`update machine_nodes set state = 'active'`);
    const before = (await generation('host')) ?? 0;

    await placed('one', { incarnation: 2 });
    await placed('one', { incarnation: 1 });

    expect(await bench.rows('select incarnation, state from machine_nodes')).toEqual([
      { incarnation: 2, state: 'pending' },
    ]);
    expect(await generation('host')).toBe(before + 1);
  });

  it('whose inventory comes in pages without gaps', async () => {
    await machine('host', { memory_mib: 10_000_000, cpus: 10_000, disk_gib: 1_000_000 });
    const tags = { installation: 'here', deployment_id: deployments[0] ?? 0 };
    for (let index = 0; index < 260; index += 1) {
      await cloud.ensure('address', ref(`c${index}`), { region: REGION, node: null }, tags);
      await placed(`n${index}`);
    }

    const first = await cloud.inventory(refTo('').at, { installation: 'here' }, null);
    const second = await cloud.inventory(refTo('').at, { installation: 'here' }, first.next);

    expect([first.resources.length, second.resources.length, second.next]).toEqual([500, 20, null]);
    const names = [...first.resources, ...second.resources].map(({ kind, name }) => `${kind} ${name}`);
    expect(new Set(names).size).toBe(520);
    await bench.rows('delete from machine_resources');
  });
});
