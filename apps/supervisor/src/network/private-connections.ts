import { Inject, Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import {
  DomainError,
  findGrant,
  overlap,
  requireFreeName,
  type DeploymentStatus,
  type ErrorCode,
  Written,
  type ResourceKind,
  type PrivateConnectionId,
} from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import {
  ENDED_STATUSES,
  PrivateConnectionsRepository,
  PrivateConsumersRepository,
  RuntimesRepository,
  type DeploymentFacts,
  type PrivateConnection,
  type PrivateConnectionKind,
  type PrivateConsumer,
} from '@libs/persistence/runtime';
import {
  askedBy,
  DeploymentOperations,
  lockDeployment,
  targetOf,
  requireAlive,
  requireDriverFeature,
  TenantPlans,
} from '../platform/index.js';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { PRIVATE_NETWORKING, requireFitting, requireIncluded } from './private-networking.js';

/** The request for a private connection. */
export interface PrivateConnectionRequest {
  kind: PrivateConnectionKind;
  name: string;
  remarks: string | null;
  /** Returns the specification for the cloud. Omitted values follow from the deployment. */
  spec: (facts: DeploymentFacts) => Record<string, unknown>;
  /** The network of the other side, for routes. Only for peerings. */
  peerCidr?: string;
  /** Whether the broker gets the addresses of clients. Only for service attachments. */
  usesProxyProtocol?: boolean;
}

/** A deployment with its network. */
export interface NetworkedDeployment {
  facts: DeploymentFacts;
  cidr: string | null;
  networkId: string | null;
  /** The URL of the deployment at this Supervisor. */
  url: string;
}

export interface RememberedResource<T> {
  deployment: NetworkedDeployment;
  found: T;
}

const WITH_NETWORK: readonly DeploymentStatus[] = ['initialized', 'degraded', 'stopped'];
const RESOURCE: Record<PrivateConnectionKind, { id: ResourceKind; missing: ErrorCode }> = {
  vpc_peering: { id: 'peering', missing: 'peering_not_found' },
  network_peering: { id: 'peering', missing: 'peering_not_found' },
  endpoint_service: { id: 'endpoint-service', missing: 'service_not_found' },
  service_attachment: { id: 'attachment', missing: 'attachment_not_found' },
};

/**
 * Private connections from networks of customers to a deployment. Requests start here; workflows create and delete the
 * connections, and the observer tracks them.
 */
@Injectable()
export class PrivateConnections {
  constructor(
    private readonly connections: PrivateConnectionsRepository,
    private readonly consumersOf: PrivateConsumersRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly plans: TenantPlans,
    private readonly operations: DeploymentOperations,
    private readonly ledger: Ledger,
    @Inject(SUPERVISOR_CONFIG) private readonly config: Pick<SupervisorConfig, 'SUPERVISOR_PUBLIC_URL'>,
  ) {}

  /** Returns the connections, newest first, with the deployment. @throws DomainError private_networking_not_supported */
  async list(actor: ActingCaller, kind: PrivateConnectionKind): Promise<RememberedResource<PrivateConnection[]>> {
    const deployment = await this.networked(actor, kind);
    return { deployment, found: await this.connections.list(actor.deployment.id, kind) };
  }

  /** @throws DomainError `…_not_found`, private_networking_not_supported */
  async find(
    actor: ActingCaller,
    kind: PrivateConnectionKind,
    id: PrivateConnectionId,
  ): Promise<RememberedResource<PrivateConnection>> {
    const deployment = await this.networked(actor, kind);
    return { deployment, found: existing(kind, await this.connections.find(actor.deployment.id, kind, id)) };
  }

  consumers({ id }: PrivateConnection): Promise<PrivateConsumer[]> {
    return this.consumersOf.list(id);
  }

  private async networked(actor: ActingCaller, kind: PrivateConnectionKind): Promise<NetworkedDeployment> {
    const { id } = actor.deployment;
    const [facts, runtime] = [await this.runtimes.facts(id), await this.runtimes.find(id)];
    if (!facts || !runtime) throw new DomainError('deployment_not_found', 'No such deployment.');
    requireFitting(facts, kind);
    const url = `${this.config.SUPERVISOR_PUBLIC_URL.replace(/\/$/, '')}/deployments/${id}`;
    return { facts, cidr: runtime.cidr, networkId: runtime.network_id, url };
  }

  /**
   * The row exists before the answer. The operation ends when the provider has accepted the request. The observer
   * records later actions of the other side.
   * @throws DomainError private_networking_not_supported, plan_feature_required, feature_unavailable, state_conflict,
   * cidr_overlap, name_taken, plan_limit_reached
   */
  async create(actor: ActingCaller, request: PrivateConnectionRequest): Promise<Written> {
    const { kind, name } = request;
    const { facts, cidr } = await this.networked(actor, kind);
    const entitlements = await this.plans.of(actor.tenantId);
    requireIncluded(entitlements, facts, kind);
    requireDriverFeature(facts, 'private_networking');
    if (request.usesProxyProtocol) requireDriverFeature(facts, 'proxy_protocol');
    requireNetwork(await lockDeployment(this.runtimes, facts.id));
    // Checked with the lock on the deployment: another request for a peering to the same network may run now.
    await this.requireFreeNetwork(actor, request, cidr);
    requireFreeName('private connection', name, {
      id: await this.connections.findIdByName(facts.id, kind, name),
      isReadable: () => findGrant(actor.caller.holding, 'deployment:network:read', placeOf(actor)) !== null,
    });
    const { limit, counted, firstStatus: status } = PRIVATE_NETWORKING[kind];
    requireBelowLimit(entitlements, limit, await this.connections.count(actor.tenantId, counted));
    const row = { deploymentId: facts.id, kind, name, remarks: request.remarks, spec: request.spec(facts), status };
    const id = await this.connections.insert(row);
    const work = { type: 'create_private_connection', memo: { private_connection_id: id } } as const;
    const operation = await this.operations.open(targetOf(actor), askedBy(actor), work);
    await this.record(actor, 'private_connection_created', { id, kind, name });
    return new Written(undefined, { [RESOURCE[kind].id]: id, operation });
  }

  /**
   * A second deletion is refused and changes nothing.
   * @throws DomainError `…_not_found`, private_networking_not_supported, state_conflict
   */
  async delete(actor: ActingCaller, kind: PrivateConnectionKind, id: PrivateConnectionId): Promise<Written> {
    const { facts } = await this.networked(actor, kind);
    requireAlive(await lockDeployment(this.runtimes, facts.id));
    const connection = existing(kind, await this.connections.findForUpdate(facts.id, kind, id));
    if (connection.deletingAt)
      throw new DomainError('state_conflict', 'The private connection is being deleted.', {
        members: { state: connection.status },
      });
    await this.connections.markDeleting(id, PRIVATE_NETWORKING[kind].endStatus);
    const work = { type: 'delete_private_connection', memo: { private_connection_id: id } } as const;
    const operation = await this.operations.open(targetOf(actor), askedBy(actor), work);
    await this.record(actor, 'private_connection_deleted', { id, kind, name: connection.name });
    return new Written(undefined, { operation });
  }

  /** Routes cannot work when the other network overlaps the network of the deployment, or the network of another peering. */
  private async requireFreeNetwork(
    { deployment }: ActingCaller,
    { kind, peerCidr }: PrivateConnectionRequest,
    cidr: string | null,
  ): Promise<void> {
    if (peerCidr === undefined) return;
    const others = (await this.connections.list(deployment.id, kind))
      .filter(({ status }) => !ENDED_STATUSES.includes(status))
      .map((one) => String(one.spec['peer_cidr']));
    const overlapping = [...(cidr === null ? [] : [cidr]), ...others].find((network) => overlap(network, peerCidr));
    if (overlapping === undefined) return;
    const reason =
      overlapping === cidr
        ? `overlaps the network of the deployment, ${cidr}`
        : `overlaps ${overlapping} of another peering`;
    throw new DomainError('cidr_overlap', `The network ${peerCidr} ${reason}.`, {
      members: { cidrs: [peerCidr, overlapping] },
      fieldIssues: [{ path: '/peer_vpc_cidr', code: 'overlaps', reason }],
    });
  }

  private async record(
    actor: ActingCaller,
    audit: 'private_connection_created' | 'private_connection_deleted',
    { id, kind, name }: { id: PrivateConnectionId; kind: PrivateConnectionKind; name: string },
  ): Promise<void> {
    const { author, context, traceId } = actor;
    await this.ledger.record({ audit, author, context, data: { private_connection_id: id, kind, name }, traceId });
  }
}

const placeOf = ({ division, environment }: ActingCaller) => ({
  divisionId: division.id,
  environmentId: environment.id,
});

function existing(kind: PrivateConnectionKind, connection: PrivateConnection | null): PrivateConnection {
  if (!connection) throw new DomainError(RESOURCE[kind].missing, 'No such private connection.');
  return connection;
}

/** @throws DomainError state_conflict */
function requireNetwork(status: DeploymentStatus): void {
  if (WITH_NETWORK.includes(status)) return;
  throw new DomainError(
    'state_conflict',
    `The deployment is \`${status}\`. This request needs status ${WITH_NETWORK.join(' or ')}.`,
    {
      members: { state: status },
    },
  );
}
