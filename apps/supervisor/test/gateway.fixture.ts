import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger, type OnModuleInit, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Catalog, loadCatalog } from '@libs/catalog';
import { PLANS, type StatusRequest } from '@libs/domain';
import { Metrics } from '@libs/http';
import { openObjectStore } from '@libs/object-store';
import { Notifications } from '@libs/persistence';
import { NodeAgentsRepository } from '@libs/persistence/runtime';
import { given, PlayedNode, WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../src/config.js';
import { GATEWAY_LIMITS, LIMITS_OF_GATEWAY, type GatewayLimits } from '../src/gateway/gateway-limits.js';
import { GatewayModule } from '../src/gateway/gateway.module.js';
import { GatewayServer } from '../src/gateway/gateway-server.js';
import { GatewayVisitors } from '../src/gateway/gateway-visitors.js';
import { LogIntake } from '../src/gateway/log-intake.js';
import { MachineDocuments } from '../src/gateway/machines/machine-documents.js';
import { MachineRegistry } from '../src/gateway/machines/machine-registry.js';
import type { Dropped } from '../src/gateway/node-notices.js';
import { StatusBatcher } from '../src/gateway/status-batcher.js';
import { AgentPresence } from '../src/gateway/waiting/agent-presence.js';
import { TestPlatformModule } from './test-platform.fixture.js';

export interface GatewayOptions {
  limits?: Partial<GatewayLimits>;
  /** For every plan. */
  dailyLogMib?: number;
  config?: Partial<SupervisorConfig>;
  /** Whether NOTIFY reaches the credentials and the waiting requests of machines. */
  notifies?: boolean;
}

/** The real gateway in this process, with its own socket and database, without the rest of a Supervisor. */
export class GatewayUnderTest {
  private ordinal = 0;

  private constructor(
    readonly bench: WorkflowBench,
    private readonly metrics: Metrics,
    private readonly server: GatewayServer,
    private readonly intakes: { batcher: StatusBatcher; logs: LogIntake },
    /** The data directory of the gateway. */
    readonly directory: string,
    private readonly notifications: Notifications,
    /** The connections of the gateway. */
    readonly connections: GatewayVisitors['connections'],
    readonly presence: AgentPresence,
  ) {}

  static async open({
    limits,
    dailyLogMib,
    config: settings,
    notifies,
  }: GatewayOptions = {}): Promise<GatewayUnderTest> {
    // These suites cause many refusals, so the log is off.
    Logger.overrideLogger(false);
    const bench = await WorkflowBench.open();
    const { database, secrets } = bench;
    const directory = await mkdtemp(join(tmpdir(), 'landlord-gateway-'));
    const store = openObjectStore(undefined, directory);
    const config = { ...CONFIG, ...settings, LANDLORD_DATA_DIR: directory };
    const platform = { database, secrets, store, catalog: catalogWith(dailyLogMib), config };
    const module = await Test.createTestingModule({ imports: [TestPlatformModule.forRoot(platform), GatewayModule] })
      .overrideProvider(LIMITS_OF_GATEWAY)
      .useValue({ ...GATEWAY_LIMITS, ...limits })
      .overrideProvider(Notifications)
      .useValue(new Notifications(notifies ? bench.url : ''))
      .compile();
    const of = <Provider>(type: Type<Provider>): Provider => module.get(type, { strict: false });
    const server = of(GatewayServer);
    const intakes = { batcher: of(StatusBatcher), logs: of(LogIntake) };
    await server.onApplicationBootstrap();
    const notifications = of(Notifications);
    if (notifies) {
      for (const listener of [MachineRegistry, MachineDocuments]) of<OnModuleInit>(listener).onModuleInit();
      await notifications.start();
    }
    const { connections } = of(GatewayVisitors);
    return new GatewayUnderTest(
      bench,
      of(Metrics),
      server,
      intakes,
      directory,
      notifications,
      connections,
      of(AgentPresence),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  get port(): number {
    return this.server.port;
  }

  /** Creates a deployment of a new tenant and returns its id. */
  async deployment(): Promise<number> {
    const tenant = await given.tenant({
      rows: (text: string, values?: unknown[]) => this.bench.rows(text, values),
    } as never);
    const [row] = await this.bench.rows<{ id: number }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version)
       select $1, $2, $3, 'd' || count(*), 'c' || count(*), 'managed', 'aws', 'us', 'us-east-1', 'local', 'small', 'cluster',
         'network_balanced', 100, 1, 'same_region', 'single_az', 1, 14, 0, 0, '1' from deployments returning id`,
      [tenant.tenantId, tenant.divisionId, tenant.environmentId],
    );
    const id = Number(row?.id);
    await this.bench.rows(
      `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values ($1, 'local', 'initialized', '')`,
      [id],
    );
    return id;
  }

  /** Registers a node of the deployment, which the test plays. */
  async node(deployment: number): Promise<PlayedNode> {
    const { id, token } = await this.expectedNode(deployment);
    return PlayedNode.register(this.url, id, token);
  }

  /** A node that has not registered, and its one-time token. */
  async expectedNode(deployment: number): Promise<{ id: number; token: string }> {
    const [row] = await this.bench.rows<{ id: number }>(
      `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size)
       values ($1, $2, 'n', 'leader', 'embedded', '1.2.0', 'i', 'network_balanced', 100) returning id`,
      [deployment, (this.ordinal += 1)],
    );
    const id = Number(row?.id);
    const agents = new NodeAgentsRepository(this.bench.database, this.bench.secrets);
    await agents.issueToken(id);
    return { id, token: await agents.renewedToken(id) };
  }

  /** Passes a status without the schema: a bad value that the schema does not detect. */
  slipPast(node: PlayedNode, status: StatusRequest): void {
    this.intakes.batcher.take(node.id, status);
  }

  /** Passes a batch with one line without the schema. */
  slipLinesPast(node: PlayedNode, message: string): Promise<string | null> {
    return this.intakes.logs.take({ nodeId: node.id, ...node.batchOf([message]) });
  }

  /** Makes every database query fail until the returned function is called. */
  breakDatabase(): () => void {
    const { database } = this.bench;
    const query = database.query.bind(database);
    const failure = Object.assign(new Error('terminating connection'), { code: '57P01' });
    database.query = () => Promise.reject(failure);
    return () => (database.query = query);
  }

  /** Returns the time of the last report of each node, in microseconds; 0 for never. */
  async seen(nodes: readonly PlayedNode[]): Promise<number[]> {
    return this.ofNodes(nodes, 'coalesce(extract(epoch from n.last_seen_at) * 1e6, 0)::float8');
  }

  /** Returns the counted heartbeats of each node. */
  async beats(nodes: readonly PlayedNode[]): Promise<number[]> {
    return this.ofNodes(nodes, '(select coalesce(sum(beats), 0)::int from node_heartbeats h where h.node_id = n.id)');
  }

  private async ofNodes(nodes: readonly PlayedNode[], value: string): Promise<number[]> {
    const ids = nodes.map(({ id }) => id);
    const rows = await this.bench.rows<{ value: number }>(
      `select ${value} as value from nodes n where n.id = any($1::bigint[]) order by n.id`,
      [ids],
    );
    return rows.map((row) => row.value);
  }

  /** Returns how many items of a kind were dropped since the start of the gateway. */
  async dropped(what: Dropped): Promise<number> {
    const match = new RegExp(`landlord_gateway_dropped_total\\{what="${what}"\\} (\\d+)`).exec(
      await this.metrics.render(),
    );
    return Number(match?.[1] ?? 0);
  }

  /** Returns the log lines of the nodes in their order. */
  async lines(...nodes: readonly PlayedNode[]): Promise<string[]> {
    const rows = await this.bench.rows<{ message: string }>(
      'select message from node_logs where node_id = any($1::bigint[]) order by node_id, id',
      [nodes.map(({ id }) => id)],
    );
    return rows.map(({ message }) => message);
  }

  /** Creates an open order for each node and returns the ids. */
  async orders(nodes: readonly PlayedNode[]): Promise<number[]> {
    const rows = await this.bench.rows<{ id: number }>(
      `insert into node_orders (node_id, operation_id, kind) select n, 1, 'settle_data' from unnest($1::bigint[]) n returning id`,
      [nodes.map(({ id }) => id)],
    );
    return rows.map(({ id }) => Number(id));
  }

  async orderStatuses(ids: readonly number[]): Promise<string[]> {
    const rows = await this.bench.rows<{ status: string }>(
      'select status from node_orders where id = any($1::bigint[]) order by id',
      [ids],
    );
    return rows.map(({ status }) => status);
  }

  /** Writes all taken reports now. */
  async settle(): Promise<void> {
    await this.intakes.batcher.onApplicationShutdown();
  }

  async close(): Promise<void> {
    await this.server.onApplicationShutdown();
    await this.settle();
    await this.notifications.close();
    await this.bench.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

function catalogWith(dailyLogMib: number | undefined): Catalog {
  const { data } = loadCatalog();
  if (dailyLogMib === undefined) return new Catalog(data);
  const plans = PLANS.map((plan) => [plan, { ...data.plans[plan], node_log_mib_per_day: dailyLogMib }]);
  return new Catalog({ ...data, plans: Object.fromEntries(plans) as typeof data.plans });
}

const CONFIG = {
  TRUSTED_PROXIES: [] as string[],
  GATEWAY_HOST: '127.0.0.1',
  GATEWAY_PORT: 0,
  NODE_UNREACHABLE_SECONDS: 120,
} as SupervisorConfig;
