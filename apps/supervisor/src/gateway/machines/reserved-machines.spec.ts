import type { NodeToPlace } from '@libs/domain';
import { MachineReservationsRepository } from '@libs/persistence/runtime';
import { GatewayUnderTest } from '../../../test/gateway.fixture.js';
import { FACTS, PlayedMachine, publishArtifacts } from '../../../test/machines.fixture.js';

describe('A machine that a cloud makes for one node', () => {
  let gateway: GatewayUnderTest;
  let reservations: MachineReservationsRepository;
  let node: NodeToPlace;
  beforeAll(async () => {
    gateway = await GatewayUnderTest.open({ notifies: true });
    await publishArtifacts(gateway, { name: 'agent', arch: 'any' }, { name: 'embedded', arch: 'x64' });
    const { database, secrets } = gateway.bench;
    reservations = new MachineReservationsRepository(database, secrets, 'local');
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    const deployment = await gateway.deployment();
    const { id } = await gateway.expectedNode(deployment);
    node = {
      ...{ name: `node-${id}`, node_id: id, deployment_id: deployment, incarnation: 1, broker: 'embedded' },
      ...{ region: 'us-east-1', zone: 'us-east-1a', memory_mib: 4096, cpus: 2, disk_gib: 100 },
      ...{ ports: [20_000, 20_001], is_dedicated: true },
    };
  });

  async function joined(token: string, facts: Partial<typeof FACTS> = {}): Promise<PlayedMachine> {
    const machine = new PlayedMachine(gateway, { ...FACTS, ...facts });
    expect((await machine.join(token)).status).toBe(200);
    return machine;
  }
  const reservation = async () => (await reservations.find([node.name])).get(node.name);
  const nodesOf = async (machine: PlayedMachine) => (await machine.document()).nodes;

  it('gets its node with the join, and has not more than its host', async () => {
    const token = await reservations.offer(node);
    expect(await reservation()).toEqual({ incarnation: 1, machine: 'expected', node: null });

    const machine = await joined(token, { memory_mib: 3800, disk_gib: 98 });

    const [placed] = await nodesOf(machine);
    expect(placed).toMatchObject({ node_id: node.node_id, incarnation: 1, memory_mib: 3800, cpus: 2, disk_gib: 98 });
    expect(placed?.ports).toEqual(node.ports);
    expect(placed?.token).not.toBe('');
    expect(await reservation()).toMatchObject({
      machine: 'joined',
      node: { machine_id: machine.id, state: 'pending' },
    });
    expect((await machine.row())['reserved_for']).toBe(node.name);
  });

  it('joins with a token that stays the same until then, and is good once', async () => {
    const token = await reservations.offer(node);
    expect(await reservations.offer(node)).toBe(token);
    const machine = await joined(token);
    await machine.desired();

    expect((await new PlayedMachine(gateway).join(token)).status).toBe(401);
    const [row] = await gateway.bench.rows<{ secret: string | null }>(
      'select secret from machine_reservations where name = $1',
      [node.name],
    );
    expect(row?.secret).toBeNull();
  });

  it.each([
    ['incarnation', { incarnation: 2 }],
    ['zone', { zone: 'us-east-1b' }],
  ])(
    'has another token in another %s, and the earlier machine is removed',
    async (_what, change: Partial<NodeToPlace>) => {
      const first = await reservations.offer(node);
      const machine = await joined(first);

      const second = await reservations.offer({ ...node, ...change });

      expect(second).not.toBe(first);
      expect((await machine.desired()).status).toBe(410);
      expect(await reservation()).toMatchObject({ machine: 'expected', node: null });
      const [placed] = await nodesOf(await joined(second));
      expect(placed?.incarnation).toBe(change.incarnation ?? 1);
    },
  );

  it('is never there when the token was withdrawn before the join', async () => {
    const token = await reservations.offer(node);
    await reservations.release(node.name);

    expect((await new PlayedMachine(gateway).join(token)).status).toBe(401);
    expect(await reservation()).toBeUndefined();
  });

  it('learns the new size of its node, and no other incarnation does', async () => {
    const machine = await joined(await reservations.offer(node));
    await reservations.update({ ...node, memory_mib: 8192, cpus: 4 });
    await reservations.update({ ...node, memory_mib: 1, incarnation: 2 });

    expect(await nodesOf(machine)).toMatchObject([{ memory_mib: 8192, cpus: 4, incarnation: 1 }]);
  });

  it('is removed with its node when its instance is gone', async () => {
    const machine = await joined(await reservations.offer(node));
    await reservations.release(node.name);

    expect((await machine.desired()).status).toBe(410);
    expect(await machine.rows()).toEqual([]);
  });
});
