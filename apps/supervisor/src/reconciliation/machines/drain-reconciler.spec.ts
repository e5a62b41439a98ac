import {
  MachineDrainsRepository,
  MachineMovesRepository,
  NodeAgentsRepository,
  NodeDocumentsRepository,
  NodeRevivalsRepository,
  NodesRepository,
  RedirectionsRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import type { SupervisorConfig } from '../../config.js';
import { GatewayUnderTest } from '../../../test/gateway.fixture.js';
import { DeploymentOperations } from '../../platform/index.js';
import { DrainReconciler } from './drain-reconciler.js';
import { NodeReplacement } from '../node-replacement.js';

class OnePass extends DrainReconciler {
  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

/** Nodes of one deployment in the order of their ordinals: the broker, and the index of the machine of each node. */
interface Cluster {
  broker: string;
  on: number[];
}

const NO_CAPACITY = `update machines set memory_mib = 500 where status = 'active'`;

describe('A draining machine', () => {
  let gateway: GatewayUnderTest;
  let machines: number[];
  const rows = <Row extends Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    gateway.bench.rows<Row>(sql, values);

  beforeEach(async () => {
    gateway = await GatewayUnderTest.open();
    // The first one is draining. The last one has no nodes.
    const nodeRows = await rows<{ id: string }>(
      `insert into machines (cell, region, zone, hostname, address, processor, cpus, memory_mib, disk_gib, credential_hash, agent_version,
                             status, last_seen_at)
       select 'local', 'us-east-1', 'us-east-1a', 'host-' || i, '192.0.2.1', 'x64', 8, 8192, 100, '\\x00', '1',
              case when i = 1 then 'draining' else 'active' end, now() from generate_series(1, 4) i returning id`,
    );
    machines = nodeRows.map(({ id }) => Number(id));
  });
  afterEach(() => gateway.close());

  async function cluster({ broker, on }: Cluster): Promise<number> {
    const deployment = await gateway.deployment();
    for (const [index, machine] of on.entries()) {
      await rows(
        `with node as (
           insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size, status)
           values ($1, $2::integer, 'node-' || $2::integer, $3, $4, '1', 'i', 'network_balanced', 10, 'running') returning id)
         insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports,
                                    is_dedicated, state)
         select 'n' || id, id, $1, $5, 1, $4, 512, 1, 10, '{}', false, 'active' from node`,
        ...[deployment, index + 1, index === 0 ? 'leader' : 'follower', broker, machines[machine]],
      );
    }
    return deployment;
  }

  async function onePass(): Promise<void> {
    const { database, secrets, operations } = gateway.bench;
    const [nodes, runtimes] = [new NodesRepository(database), new RuntimesRepository(database)];
    const replacement = new NodeReplacement(
      database,
      new NodeAgentsRepository(database, secrets),
      new NodeRevivalsRepository(database),
      nodes,
      new NodeDocumentsRepository(database, secrets),
      new RedirectionsRepository(database),
    );
    await new OnePass(
      database,
      new MachineDrainsRepository(database),
      new MachineMovesRepository(database),
      nodes,
      replacement,
      runtimes,
      new DeploymentOperations(runtimes, operations),
      { SUPERVISOR_CELL: 'local' } as SupervisorConfig,
    ).once();
  }

  /** The ordinals of the nodes that are leaving their machines, after one pass. */
  async function leaving(): Promise<number[]> {
    await onePass();
    const nodeRows = await rows<{ ordinal: number; epoch: number }>(
      `select node.ordinal, node.epoch from machine_nodes n join nodes node on node.id = n.node_id
        where n.intent = 'absent' order by node.id`,
    );
    // Only the next incarnation of a node may act from now on.
    expect(nodeRows.every(({ epoch }) => epoch === 2)).toBe(true);
    expect(await rows(`select 1 from nodes where epoch > 1`)).toHaveLength(nodeRows.length);
    return nodeRows.map(({ ordinal }) => ordinal);
  }

  /** The ordinals of the nodes that operations move with their data. */
  async function moving(): Promise<number[]> {
    const nodeRows = await rows<{ ordinal: number }>(
      `select node.ordinal from operations o join nodes node on node.id = (o.memo ->> 'node_id')::bigint
        where o.type = 'move_node' and o.deployment_id = node.deployment_id and (o.memo ->> 'machine_id')::bigint = $1 order by node.id`,
      machines[0],
    );
    return nodeRows.map(({ ordinal }) => ordinal);
  }

  it.each<[string, Cluster, number[]]>([
    ['a replica of nats', { broker: 'nats', on: [0, 1, 2] }, [1]],
    ['a follower of an embedded cluster', { broker: 'embedded', on: [1, 0, 2] }, [2]],
    ['one of two replicas', { broker: 'nats', on: [0, 0, 1, 2, 3] }, [1]],
  ])('loses %s', async (_title, nodes, expected) => {
    await cluster(nodes);

    expect(await leaving()).toEqual(expected);
    // The next node leaves only when all nodes run again.
    await rows(`update nodes set status = 'starting' where epoch > 1`);
    expect(await leaving()).toEqual(expected);
  });

  it('loses a node of each of several deployments', async () => {
    await cluster({ broker: 'nats', on: [0, 1, 2] });
    await cluster({ broker: 'nats', on: [1, 0, 2] });

    expect(await leaving()).toEqual([1, 2]);
  });

  it.each<[string, Cluster]>([
    ['the leader of an embedded cluster', { broker: 'embedded', on: [0, 1, 2] }],
    ['a single node', { broker: 'iggy', on: [0] }],
    ['a single node of nats', { broker: 'nats', on: [0] }],
  ])('moves %s, which has the only copy, with its data, and once', async (_title, nodes) => {
    await cluster(nodes);

    expect([await leaving(), await moving()]).toEqual([[], [1]]);
    expect([await leaving(), await moving()]).toEqual([[], [1]]);
  });

  it('moves four nodes with their data at once, and the next one after one of them', async () => {
    for (let count = 0; count < 6; count += 1) await cluster({ broker: 'iggy', on: [0] });

    await onePass();
    expect(await moving()).toHaveLength(4);
    await rows(`update operations set status = 'succeeded' where id = (select min(id) from operations)`);
    await onePass();
    await onePass();
    expect(await moving()).toHaveLength(5);
  });

  it.each<[string, Cluster, string]>([
    ['nodes of nats when all of them are there', { broker: 'nats', on: [0, 0, 0] }, 'select 1'],
    ['a single node without capacity elsewhere', { broker: 'iggy', on: [0] }, NO_CAPACITY],
    [
      'a single node with connectors',
      { broker: 'embedded', on: [0] },
      `with saved as (
         insert into configs (deployment_id, kind, name, version, config_values, runtime_version)
         select id, 'connector:sink:k', 'k', 1, '', '1' from deployments returning id, deployment_id)
       insert into connector_instances (deployment_id, key, name, type, plugin, plugin_version, config_id)
       select deployment_id, 'k', 'n', 'sink', 'p', '1', id from saved`,
    ],
    [
      'a single node during a backup',
      { broker: 'iggy', on: [0] },
      `insert into operations (type, queue, tenant_id, deployment_id, changing, status, step, trace_id, wake_at)
       select 'take_backup', 'q', tenant_id, id, false, 'running', 'x', repeat('a', 32), now() from deployments`,
    ],
    [
      'a single node for a while after a failed move',
      { broker: 'iggy', on: [0] },
      `update machine_nodes set failed_moves = 1, move_error = 'x', move_due_at = now() + interval '1 minute'`,
    ],
  ])('keeps %s', async (_title, nodes, change) => {
    await cluster(nodes);
    await rows(change);

    expect([await leaving(), await moving()]).toEqual([[], []]);
  });

  it('moves a node when the pause after a failed move is over', async () => {
    await cluster({ broker: 'iggy', on: [0] });
    await rows(
      `update machine_nodes set failed_moves = 1, move_error = 'x', move_due_at = now() - interval '1 second'`,
    );

    expect([await leaving(), await moving()]).toEqual([[], [1]]);
  });

  it.each<[string, string]>([
    ['a node of the deployment does not run', `update nodes set status = 'failed' where ordinal = 3`],
    ['the deployment is degraded', `update deployment_runtimes set status = 'degraded'`],
    [
      'an operation changes the deployment',
      `insert into operations (type, queue, tenant_id, deployment_id, changing, status, step, trace_id, wake_at)
       select 'upgrade_deployment', 'q', tenant_id, id, true, 'running', 'x', repeat('a', 32), now() from deployments`,
    ],
    ['no other machine of the zone has room', NO_CAPACITY],
    ['the other machines are in another zone', `update machines set zone = 'us-east-1b' where status = 'active'`],
    [
      'the other machines do not report',
      `update machines set last_seen_at = now() - interval '2 minutes' where status = 'active'`,
    ],
    [
      'the machine does not report',
      `update machines set last_seen_at = now() - interval '2 minutes' where status = 'draining'`,
    ],
    ['the operator has resumed the machine', `update machines set status = 'active'`],
    ['the machine is of another cell', `update machines set cell = 'other'`],
  ])('keeps a replica while %s', async (_title, change) => {
    await cluster({ broker: 'nats', on: [0, 1, 2] });
    await rows(change);

    expect(await leaving()).toEqual([]);
  });
});
