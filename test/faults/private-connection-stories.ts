import {
  PRIVATE_CONNECTION_KINDS,
  PrivateConnectionsRepository,
  RuntimesRepository,
  type PrivateConnectionKind,
} from '@libs/persistence/runtime';
import type { Database } from '@libs/persistence';
import { SilentDoorbell } from '@libs/queue';
import { eventually, type TestCloud } from '@libs/testing';
import { Operations } from '@libs/workflow';
import { Unanswered } from './patient-client.js';
import type { Promised } from './promised.js';

const PATIENCE_MS = 120_000;
/** So many stay on a deployment when the story is over. */
const KEPT = 2;
const SPECS: Record<PrivateConnectionKind, Record<string, unknown>> = {
  vpc_peering: {
    peer_vpc_id: 'vpc-1',
    peer_owner_id: '1'.repeat(12),
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
  ...{ vpc_peering: 'initiating_request', network_peering: 'inactive' },
  ...{ endpoint_service: 'pending', service_attachment: 'pending' },
};

type Ended = (operation: number) => Promise<{ status: string }>;
type Direction = 'create_private_connection' | 'delete_private_connection';

/**
 * Private connections under faults: what was asked for is at the provider, what was deleted is not. They are asked for as the
 * routes do it, in one transaction of the supervisor's role: the routes want tiers that these small clouds have no room for.
 */
export class PrivateConnectionStories {
  private named = 0;

  constructor(
    private readonly cloud: TestCloud,
    private readonly ended: Ended,
  ) {}

  /** One of every kind at once, and then all go but the newest; one goes while it is still being made. */
  async connect(promised: Promised): Promise<void> {
    const hasty = this.make(promised, 'vpc_peering', () => Promise.resolve());
    const made = PRIVATE_CONNECTION_KINDS.map((kind) =>
      this.make(promised, kind, async (operation) => {
        const { status } = await this.ended(operation);
        if (status !== 'succeeded') throw new Unanswered(`${kind} ${status}`);
      }),
    );
    await hasty.then((id) => this.remove(promised, id));
    await Promise.all(made);
    const leaving = promised.privateConnections.slice(0, -KEPT);
    await Promise.all(leaving.map((id) => this.remove(promised, id)));
  }

  private async make(
    promised: Promised,
    kind: PrivateConnectionKind,
    until: (operation: number) => Promise<unknown>,
  ): Promise<number> {
    const name = `story-${(this.named += 1)}`;
    const { id, operation } = await this.insist(async (database) => {
      const connections = new PrivateConnectionsRepository(database);
      const known = (await connections.list(promised.id, kind)).find((one) => one.name === name);
      if (known) return { id: known.id, operation: await this.asked(promised, 'create_private_connection', known.id) };
      const asked = { name, kind, deploymentId: promised.id, remarks: '', spec: SPECS[kind], status: FIRST[kind] };
      const made = await connections.insert(asked);
      return { id: made, operation: await this.open(database, promised, 'create_private_connection', made) };
    });
    promised.privateConnections.push(id);
    await until(operation);
    return id;
  }

  private async remove(promised: Promised, id: number): Promise<void> {
    const operation = await this.insist(async (database) => {
      const connections = new PrivateConnectionsRepository(database);
      const known = await connections.get(id);
      if (known?.deletingAt) return this.asked(promised, 'delete_private_connection', id);
      await connections.markDeleting(id, 'deleting');
      return this.open(database, promised, 'delete_private_connection', id);
    });
    promised.privateConnections = promised.privateConnections.filter((one) => one !== id);
    const { status } = await this.ended(operation);
    if (status !== 'succeeded') throw new Unanswered(`deletion of private connection ${id} ${status}`);
  }

  private async open(database: Database, { id }: Promised, type: Direction, connection: number): Promise<number> {
    const facts = await new RuntimesRepository(database).facts(id);
    if (facts === null) throw new Unanswered(`deployment ${id} is gone`);
    return new Operations(database, new SilentDoorbell()).start({
      ...{ type, cell: facts.cell, tenantId: facts.tenant_id, divisionId: facts.division_id },
      ...{ environmentId: facts.environment_id, deploymentId: id, authorId: null, apiKeyId: null },
      ...{ traceId: 'f'.repeat(32), memo: { private_connection_id: connection } },
    });
  }

  /** The operation of a commit whose answer was lost. */
  private async asked({ id }: Promised, type: Direction, connection: number): Promise<number> {
    const [row] = await this.cloud.rows<{ id: string }>(
      `select id from operations where deployment_id = $1 and type = $2 and memo ->> 'private_connection_id' = $3::text`,
      [id, type, connection],
    );
    return Number(row?.id);
  }

  /** PostgreSQL may be away. */
  private async insist<T>(work: (database: Database) => Promise<T>): Promise<T> {
    let last: unknown;
    const { done } = await eventually(
      'a private connection is asked for',
      () =>
        this.cloud.asSupervisor(work).then(
          (answer) => ({ done: answer }),
          (error: unknown) => {
            last = error;
            return null;
          },
        ),
      PATIENCE_MS,
    ).catch(() => {
      throw new Unanswered(`private connection: ${String(last)}`);
    });
    return done;
  }
}

/** Each deployment has the private connections that it was promised, and the provider has those and no other. */
export async function privateConnectionsKept(
  cloud: TestCloud,
  promised: readonly Promised[],
  records: readonly string[],
): Promise<string[]> {
  const rows = await cloud.rows<{ id: number; deployment: number; kind: string }>(
    'select id::int as id, deployment_id::int as deployment, kind from private_connections where deleted_at is null',
  );
  const wanted = promised.filter(({ isDeleted }) => !isDeleted).flatMap(({ privateConnections }) => privateConnections);
  const held = rows.map(({ id }) => id);
  const { installation } = cloud.installation;
  const named = rows.map(
    ({ id, deployment, kind }) => `ld-${installation}-${deployment}-${kind.replace('_', '-')}-${id}.json`,
  );
  const kinds = PRIVATE_CONNECTION_KINDS.map((kind) => `-${kind.replace('_', '-')}-`);
  const found = records.filter((name) => kinds.some((kind) => name.includes(kind)));
  return [
    ...(sorted(held) === sorted(wanted) ? [] : [`private connections ${sorted(held)}, not ${sorted(wanted)}`]),
    ...(sorted(found) === sorted(named) ? [] : [`the provider has ${sorted(found)} for ${sorted(named)}`]),
  ];
}

const sorted = (values: readonly (number | string)[]): string => values.map(String).sort().join(', ');
