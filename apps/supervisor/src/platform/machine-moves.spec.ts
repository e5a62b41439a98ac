import { randomUUID } from 'node:crypto';
import { MachinesProvider } from '@libs/cloud';
import {
  MachineMovesRepository,
  MachinePlacementRepository,
  MachineResourcesRepository,
} from '@libs/persistence/runtime';
import { refTo, WorkflowBench } from '@libs/testing';
import { joinedMachine } from '../../test/joined-machine.fixture.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';

const LARGE_ENOUGH = { memory_mib: 4096, cpus: 2, disk_gib: 100 };

describe('A node on a draining machine', () => {
  let bench: WorkflowBench;
  let moves: MachineMovesRepository;
  let cell: string;
  let name: string;
  let node: number;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    moves = new MachineMovesRepository(bench.database);
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    cell = randomUUID();
    name = `node of ${cell}`;
    const { deploymentId } = await LifecycleFixture.ordered(bench, 1);
    const [row] = await bench.rows<{ id: string }>('select id from nodes where deployment_id = $1', [deploymentId]);
    node = Number(row?.id);
    const machine = await join('old', { status: 'draining' });
    await bench.rows(
      `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports,
                                  is_dedicated, state)
       values ($1, $2, $3, $4, 1, 'iggy', 4096, 2, 100, '{20000}', true, 'active')`,
      [name, node, deploymentId, machine],
    );
  });

  const join = (hostname: string, more: object = {}) =>
    joinedMachine(bench, { cell, region: 'us-east-1', zone: 'a', hostname, ...more });
  const move = () => bench.database.transaction(() => moves.moveElsewhere(node));
  const rows = () =>
    bench.rows<object>(
      `select m.hostname as machine, n.name, n.former_name, n.intent, n.state, n.incarnation, n.memory_mib, n.ports, n.is_dedicated, m.generation::int
         from machine_nodes n join machines m on m.id = n.machine_id where n.node_id = $1 order by n.incarnation`,
      [node],
    );
  const states = async () => {
    const placement = new MachinePlacementRepository(bench.database, cell);
    const cloud = new MachinesProvider(placement, new MachineResourcesRepository(bench.database), 'here');
    return [...(await cloud.describe('node', [refTo(name)])).values()].map(({ state, attributes }) => [
      ...[state, attributes.image_id],
    ]);
  };

  it('is on the other machine as its next incarnation, before the old one is gone', async () => {
    await join('new', LARGE_ENOUGH);

    expect([await moves.shortageElsewhere(node), await move()]).toEqual([null, null]);

    const same = { memory_mib: 4096, ports: [20000], is_dedicated: true, generation: 2 };
    expect(await rows()).toEqual([
      {
        machine: 'old',
        name: expect.stringContaining(name),
        former_name: name,
        intent: 'absent',
        state: 'active',
        incarnation: 1,
        ...same,
      },
      { machine: 'new', name, former_name: null, intent: 'present', state: 'pending', incarnation: 2, ...same },
    ]);
    expect(await moves.home(node)).toMatchObject({ name, incarnation: 2, machine_status: 'active' });
    expect(await states()).toEqual([['pending', 'new']]);
  });

  it.each([
    ['memory', { memory_mib: 4095 }],
    ['processors', { cpus: 1 }],
    ['disk', { disk_gib: 99 }],
    ['machines', { zone: 'b' }],
    ['machines', { region: 'eu-west-1' }],
    ['machines', { status: 'draining' }],
    ['machines', { silentFor: 61 }],
  ])('stays when the other machine is short of %s: %j', async (shortage, less) => {
    await join('new', { ...LARGE_ENOUGH, ...less });
    const before = await rows();

    expect([await moves.shortageElsewhere(node), await move()]).toEqual([shortage, shortage]);
    expect(await rows()).toEqual(before);
  });

  it('does not come back to a machine that still deletes it', async () => {
    await join('new', LARGE_ENOUGH);
    await move();
    await bench.rows(
      `update machines set status = case hostname when 'old' then 'active' else 'draining' end where cell = $1`,
      [cell],
    );

    expect(await move()).toBe('machines');
    await bench.rows('delete from machine_nodes where former_name = $1', [name]);
    expect(await move()).toBeNull();
    expect(await states()).toEqual([['pending', 'old']]);
  });

  it('is still being deleted for its deployment while its former machine has something of it', async () => {
    await join('new', LARGE_ENOUGH);
    await move();
    await bench.rows('delete from machine_nodes where name = $1', [name]);

    expect(await states()).toEqual([['deleting', 'old']]);
    await bench.rows('delete from machine_nodes where former_name = $1', [name]);
    expect(await states()).toEqual([]);
  });

  it('takes the last machine that two nodes want only once', async () => {
    await join('new', LARGE_ENOUGH);
    const other = await LifecycleFixture.ordered(bench, 1);
    const [row] = await bench.rows<{ id: string }>('select id from nodes where deployment_id = $1', [
      other.deploymentId,
    ]);
    await bench.rows(
      `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports,
                                  is_dedicated, state)
       select 'other ' || name, $2, $3, machine_id, 1, broker, memory_mib, cpus, disk_gib, ports, false, state
         from machine_nodes where name = $1`,
      [name, row?.id, other.deploymentId],
    );
    const moveOther = () => bench.database.transaction(() => moves.moveElsewhere(Number(row?.id)));

    const shortages = await Promise.all([move(), moveOther()]);

    expect(shortages.filter((shortage) => shortage === null)).toHaveLength(1);
  });

  it('waits longer after each failed move: 10 minutes, then twice as long each time, up to six hours', async () => {
    const waits: number[] = [];
    for (let failures = 0; failures < 7; failures += 1) {
      await moves.noteFailure(node, 'no space');
      const [row] = await bench.rows<{ minutes: number }>(
        `select round(extract(epoch from move_due_at - now()) / 60)::int as minutes from machine_nodes where name = $1`,
        [name],
      );
      waits.push(row?.minutes ?? 0);
    }

    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 360]);
  });
});
