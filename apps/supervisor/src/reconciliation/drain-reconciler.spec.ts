import {
  MachineDrainsRepository,
  NodeAgentsRepository,
  NodeDocumentsRepository,
  NodeRevivalsRepository,
  NodesRepository,
} from '@libs/persistence/runtime';
import type { SupervisorConfig } from '../config.js';
import { GatewayUnderTest } from '../../test/gateway.fixture.js';
import { DrainReconciler } from './drain-reconciler.js';
import { NodeReplacement } from './node-replacement.js';

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

describe('A draining machine', () => {
  let gateway: GatewayUnderTest;
  let machines: number[];
  const rows = <Row extends Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> =>
    gateway.bench.rows<Row>(sql, values);

  beforeEach(async () => {
    gateway = await GatewayUnderTest.open();
    // The first one is draining. The last one has no nodes.
    const found = await rows<{ id: string }>(
      `insert into machines (cell, region, zone, hostname, address, processor, cpus, memory_mib, disk_gib, credential_hash, agent_version,
                             status, last_seen_at)
       select 'local', 'us-east-1', 'us-east-1a', 'host-' || i, '192.0.2.1', 'x64', 8, 8192, 100, '\\x00', '1',
              case when i = 1 then 'draining' else 'active' end, now() from generate_series(1, 4) i returning id`,
    );
    machines = found.map(({ id }) => Number(id));
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

  /** The ordinals of the nodes that are leaving their machines, after one pass. */
  async function leaving(): Promise<number[]> {
    const { database, secrets } = gateway.bench;
    const nodes = new NodesRepository(database);
    const replacement = new NodeReplacement(
      database,
      new NodeAgentsRepository(database, secrets),
      new NodeRevivalsRepository(database),
      nodes,
      new NodeDocumentsRepository(database, secrets),
    );
    const config = { SUPERVISOR_CELL: 'local' } as SupervisorConfig;
    await new OnePass(database, new MachineDrainsRepository(database), nodes, replacement, config).once();
    const found = await rows<{ ordinal: number; epoch: number }>(
      `select node.ordinal, node.epoch from machine_nodes n join nodes node on node.id = n.node_id
        where n.intent = 'absent' order by node.id`,
    );
    // Only the next incarnation of a node may act from now on.
    expect(found.every(({ epoch }) => epoch === 2)).toBe(true);
    expect(await rows(`select 1 from nodes where epoch > 1`)).toHaveLength(found.length);
    return found.map(({ ordinal }) => ordinal);
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
    ['nodes of nats when all of them are there', { broker: 'nats', on: [0, 0, 0] }],
  ])('keeps %s, which has the only copy', async (_title, nodes) => {
    await cluster(nodes);

    expect(await leaving()).toEqual([]);
  });

  it.each<[string, string]>([
    ['a node of the deployment does not run', `update nodes set status = 'failed' where ordinal = 3`],
    ['the deployment is degraded', `update deployment_runtimes set status = 'degraded'`],
    [
      'an operation changes the deployment',
      `insert into operations (type, queue, tenant_id, deployment_id, changing, status, step, trace_id, wake_at)
       select 'upgrade_deployment', 'q', tenant_id, id, true, 'running', 'x', repeat('a', 32), now() from deployments`,
    ],
    ['no other machine of the zone has room', `update machines set memory_mib = 500 where status = 'active'`],
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
