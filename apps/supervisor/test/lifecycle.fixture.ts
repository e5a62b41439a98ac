import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { TestingModule } from '@nestjs/testing';
import type { OperationType } from '@libs/domain';
import { ObjectStore, openObjectStore } from '@libs/object-store';
import { InitialRowsRepository, configLocation, type InitialRows, type OrderObjects } from '@libs/persistence/runtime';
import { FakeCloud, FakeDns, nextNodeIds, type WorkflowBench } from '@libs/testing';
import { assembleLifecycle, workflowsOf, type Workflows } from './assemble-lifecycle.fixture.js';

/** The lifecycle on a fake cloud, with the rows that a request to the main API creates. */
export class LifecycleFixture {
  readonly workflows: Workflows;

  private constructor(
    readonly bench: WorkflowBench,
    readonly deploymentId: number,
    readonly module: TestingModule,
    readonly cloud: FakeCloud,
    readonly dns: FakeDns,
    /** Parent directory of the object store. */
    readonly objects: string,
  ) {
    this.workflows = workflowsOf(module);
  }

  private static async on(bench: WorkflowBench, deploymentId: number, cloud: FakeCloud): Promise<LifecycleFixture> {
    const dns = new FakeDns();
    const objects = mkdtempSync(join(bench.directory, 'objects-'));
    const { database, secrets } = bench;
    const store = openObjectStore(undefined, objects);
    const module = await assembleLifecycle({ database, secrets, cloud, dns: [dns], store });
    return new LifecycleFixture(bench, deploymentId, module, cloud, dns, objects);
  }

  get store(): ObjectStore {
    return this.module.get(ObjectStore);
  }

  /** Creates the rows of an ordered deployment with this number of nodes. */
  static async ordered(
    bench: WorkflowBench,
    nodes: number,
    order: Partial<InitialRows> = {},
    cloud = new FakeCloud(),
  ): Promise<LifecycleFixture> {
    const { id } = await insertDeployment(bench, nodes);
    const { database, secrets } = bench;
    const ids = await nextNodeIds(bench, nodes);
    await database.transaction(() =>
      new InitialRowsRepository(database, secrets).insert(id, {
        cell: 'local',
        runtimeVersion: '1.2.0',
        authorId: null,
        isOpenToAll: true,
        hasPublicIp: true,
        isEncrypted: false,
        rateLimitBytes: null,
        restoreSource: null,
        nodes: ids.map((nodeId, index) => ({
          id: nodeId,
          ordinal: index + 1,
          name: `node-${index + 1}`,
          role: index === 0 ? ('leader' as const) : ('follower' as const),
          broker_driver: 'embedded' as const,
          broker_version: '1.2.0',
          image_id: 'landlord-embedded-1.2.0',
          storage_type: 'network_balanced',
          storage_size: 100,
          variant: 'small',
          memory_mib: 4096,
        })),
        ...order,
      }),
    );
    return LifecycleFixture.on(bench, id, cloud);
  }

  /** Creates a deployment that serves, with this number of nodes. */
  static async serving(
    bench: WorkflowBench,
    nodes: number,
    order: Partial<InitialRows> = {},
    cloud = new FakeCloud(),
  ): Promise<LifecycleFixture> {
    const fixture = await LifecycleFixture.ordered(bench, nodes, order, cloud);
    const operation = await fixture.start('provision_deployment');
    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      () => fixture.agentsReport(),
    );
    await fixture.agentsReport();
    return fixture;
  }

  async start(type: OperationType, memo: Record<string, unknown> = {}): Promise<number> {
    return this.bench.start({ type, deploymentId: this.deploymentId, memo });
  }

  /** Creates another version of the broker's configuration and returns its id. */
  async anotherConfig(): Promise<number> {
    const { bench, deploymentId } = this;
    const [row] = await bench.rows<{ id: number }>(
      `insert into configs (deployment_id, kind, name, version, config_values, runtime_version)
       values ($1, 'broker', 'broker', 2, $2, '1.2.0') returning id`,
      [deploymentId, bench.secrets.seal(configLocation(deploymentId, 'broker', 'broker', 2), '{"a":{"b":1}}')],
    );
    return Number(row?.id);
  }

  /** Plays the agents: every node in the cloud completes its orders and reports the desired state. */
  async agentsReport(): Promise<void> {
    const nodes = [...this.cloud.resources.values()].filter(({ kind }) => kind === 'node');
    const ids = nodes.map(({ tags }) => tags.node_id);
    await this.carryOutOrders(ids);
    await this.bench.rows(
      `update nodes n set last_seen_at = now(), status = case when n.held_at is null then 'running' else 'stopped' end, observed_timeline = d.timeline, observed_generation = d.generation
         from node_documents d where d.node_id = n.id and n.id = any($1::bigint[]) and n.status <> 'deleting'`,
      [ids],
    );
  }

  /** Plays the agents, and the workers of operations that another operation has started. */
  async restOfTheWorld(): Promise<void> {
    await this.agentsReport();
    const open = await this.bench.rows<{ id: number }>(
      `select id from operations where type = 'take_backup' and status in ('pending', 'running')`,
    );
    for (const { id } of open) {
      const drive = [() => this.bench.runner([this.workflows.backup]), () => this.agentsReport()] as const;
      await this.bench.drive(Number(id), ...drive);
    }
  }

  private async carryOutOrders(nodeIds: unknown[]): Promise<void> {
    const open = await this.bench.rows<{ id: number; node_id: number; objects: OrderObjects; kind: string }>(
      `select id, node_id, kind, objects from node_orders where status = 'open' and node_id = any($1::bigint[])`,
      [nodeIds],
    );
    for (const { id, node_id: node, kind, objects } of open) {
      const uploaded = Object.entries(kind.startsWith('restore') ? {} : objects).map(async ([part, { key }]) => {
        const content = Readable.from([Buffer.from(`${part} of ${node}`)]);
        return [part, await this.store.put(key, content, 1_000)] as const;
      });
      const frozen = { sha256: createHash('sha256').update(String(node)).digest('hex'), size_bytes: 4_096 };
      const results = JSON.stringify({
        ...Object.fromEntries(await Promise.all(uploaded)),
        ...(kind === 'freeze_data' && { data: frozen }),
      });
      await this.bench.rows(`update node_orders set status = 'done', results = $2 where id = $1`, [id, results]);
    }
  }

  /** Returns the types of audit records and events of the deployment, in order. */
  async recorded(): Promise<{ audit: string[]; events: string[] }> {
    const of = async (table: string): Promise<string[]> =>
      (
        await this.bench.rows<{ type: string }>(`select type from ${table} where deployment_id = $1 order by id`, [
          this.deploymentId,
        ])
      ).map(({ type }) => type);
    return { audit: await of('audit_entries'), events: await of('outbox') };
  }

  async status(): Promise<string> {
    const [row] = await this.bench.rows<{ status: string }>(
      'select status from deployment_runtimes where deployment_id = $1',
      [this.deploymentId],
    );
    return row?.status ?? '';
  }
}

async function insertDeployment(bench: WorkflowBench, nodes: number): Promise<{ id: number }> {
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await bench.rows<{ id: number }>(`${text} returning id`, values))[0]?.id);
  await bench.rows(`insert into installation (name) values ('test') on conflict do nothing`);
  const user = await one(`insert into users (email, name, password_hash) values ('u' || random(), 'U', 'none')`);
  const tenant = await one(`insert into tenants (name, owner_id, plan) values ('T', $1, 'enterprise')`, [user]);
  const division = await one(`insert into divisions (tenant_id, name) values ($1, 'D')`, [tenant]);
  const environment = await one(`insert into environments (tenant_id, division_id, name) values ($1, $2, 'E')`, [
    tenant,
    division,
  ]);
  const id = await one(
    `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
       storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
       monthly_compute, monthly_storage, pricing_version, features)
     values ($1, $2, $3, 'dep', substr(md5(random()::text), 1, 8), 'managed', 'aws', 'us', 'us-east-1', 'local', 'small', 'cluster',
       'network_balanced', 100, 5000, 'same_region', 'single_az', $4, 14, 10, 2, '2026-11', '{"backup": "real"}')`,
    [tenant, division, environment, nodes],
  );
  return { id };
}
