import {
  PrivateConnectionsRepository,
  PrivateConsumersRepository,
  type PrivateConnection,
  type PrivateConnectionKind,
} from '@libs/persistence/runtime';
import type { WorkflowBench } from '@libs/testing';
import { LifecycleFixture } from './lifecycle.fixture.js';

const SPECS: Record<PrivateConnectionKind, Record<string, unknown>> = {
  vpc_peering: {
    peer_vpc_id: 'vpc-0a1b2c3d',
    peer_owner_id: '123456789012',
    peer_region: 'us-east-1',
    peer_cidr: '10.9.0.0/16',
  },
  network_peering: { peer_network: 'theirs', peer_project_id: 'their-project', peer_cidr: '10.9.0.0/16' },
  endpoint_service: { acceptance_required: true, allowed_principals: [] },
  service_attachment: {
    connection_preference: 'accept_manual',
    consumer_accept_lists: [],
    enable_proxy_protocol: false,
  },
};
const FIRST: Record<PrivateConnectionKind, string> = {
  vpc_peering: 'initiating_request',
  network_peering: 'inactive',
  endpoint_service: 'pending',
  service_attachment: 'pending',
};

/** The row of a new private connection, and a deployment on a fake cloud. */
export class PrivateConnectionFixture {
  readonly connections: PrivateConnectionsRepository;
  readonly consumers: PrivateConsumersRepository;
  /** The name of the resource at the provider. */
  readonly resource: string;

  private constructor(
    readonly bench: WorkflowBench,
    readonly lifecycle: LifecycleFixture,
    readonly kind: PrivateConnectionKind,
    readonly id: number,
  ) {
    this.connections = new PrivateConnectionsRepository(bench.database);
    this.consumers = new PrivateConsumersRepository(bench.database);
    this.resource = `ld-test-${lifecycle.deploymentId}-${kind.replace('_', '-')}-${id}`;
  }

  static async asked(
    bench: WorkflowBench,
    kind: PrivateConnectionKind,
    lifecycle?: LifecycleFixture,
    changes: Record<string, unknown> = {},
  ): Promise<PrivateConnectionFixture> {
    const home = lifecycle ?? (await LifecycleFixture.ordered(bench, 1));
    const id = await new PrivateConnectionsRepository(bench.database).insert({
      ...{ deploymentId: home.deploymentId, kind, name: `to-them-${Math.random()}`, remarks: null },
      ...{ spec: { ...SPECS[kind], ...changes }, status: FIRST[kind] },
    });
    return new PrivateConnectionFixture(bench, home, kind, id);
  }

  /** Creates a connection and runs its creation to the end. */
  static async made(
    bench: WorkflowBench,
    kind: PrivateConnectionKind,
    lifecycle?: LifecycleFixture,
  ): Promise<PrivateConnectionFixture> {
    const fixture = await PrivateConnectionFixture.asked(bench, kind, lifecycle);
    await fixture.create();
    return fixture;
  }

  async startCreation(): Promise<number> {
    return this.lifecycle.start('create_private_connection', { private_connection_id: this.id });
  }

  /** Runs the creation to the end and returns the final status. */
  async create(): Promise<string> {
    const operation = await this.startCreation();
    return this.bench.drive(operation, () => this.bench.runner([this.lifecycle.workflows.connection]));
  }

  /** Marks the connection like a route does, and starts its deletion. */
  async startDeletion(): Promise<number> {
    await this.connections.markDeleting(this.id, 'deleting');
    return this.lifecycle.start('delete_private_connection', { private_connection_id: this.id });
  }

  async delete(): Promise<string> {
    const operation = await this.startDeletion();
    return this.bench.drive(operation, () => this.bench.runner([this.lifecycle.workflows.connectionDeletion]));
  }

  /** Returns the connection as in its list; null if the list does not contain it. */
  async record(): Promise<PrivateConnection | null> {
    return this.connections.find(this.lifecycle.deploymentId, this.kind, this.id);
  }

  /** Also for a deleted connection. */
  async lastStatus(): Promise<string | undefined> {
    return (await this.connections.get(this.id))?.status;
  }

  /** Sets the time of the last observation to `seconds` ago. */
  async unseenFor(seconds: number): Promise<void> {
    await this.bench.rows(
      'update private_connections set looked_at = now() - make_interval(secs => $2) where id = $1',
      [this.id, seconds],
    );
  }
}
