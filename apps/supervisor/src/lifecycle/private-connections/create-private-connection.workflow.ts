import { Injectable } from '@nestjs/common';
import { CloudError, type Resource } from '@libs/cloud';
import {
  NodesRepository,
  PrivateConnectionsRepository,
  PrivateConsumersRepository,
  RuntimesRepository,
  type DeploymentFacts,
  type PrivateConnection,
  type PrivateConnectionKind,
} from '@libs/persistence/runtime';
import {
  done,
  hop,
  nap,
  stepTable,
  StepImpossible,
  type Failure,
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { PrivateConnectionReports } from './private-connection-reports.js';
import { PrivateConnectionResources } from './private-connection-resources.js';
import { consumersOf, isSettled, observationOf, type PrivateResource } from './private-connection-observation.js';
import { pollLater } from '../poll-later.js';
import { connectionOf, deploymentOf } from '../subject.js';

export const CREATE_PRIVATE_CONNECTION = stepTable({
  requesting: { to: ['awaiting_provider'], deadline: '2m', giveUpAfter: '10m' },
  awaiting_provider: { to: [], deadline: '5m', giveUpAfter: '30m' },
});

/** Connections whose consumers reach the load balancer of the deployment. */
const OVER_A_BALANCER: readonly PrivateConnectionKind[] = ['endpoint_service', 'service_attachment'];

/**
 * Requests a private connection from the cloud. Ends when the cloud has accepted the request; the observer tracks
 * connections that wait for the other side. A failed connection keeps its row with the reason. So resources that may
 * remain at the provider have an owner, and the deletion of the connection removes both.
 */
@Injectable()
export class CreatePrivateConnection implements Workflow, StepsOf<typeof CREATE_PRIVATE_CONNECTION, StepContext> {
  readonly type = 'create_private_connection';
  readonly table = CREATE_PRIVATE_CONNECTION;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly connections: PrivateConnectionsRepository,
    private readonly consumers: PrivateConsumersRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly connectionResources: PrivateConnectionResources,
    private readonly reports: PrivateConnectionReports,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
  ) {}

  async requesting({ operation, signal }: StepContext) {
    const connection = await this.wanted(operation);
    if (connection === null) return hop('awaiting_provider');
    const facts = await this.resources.facts(deploymentOf(operation));
    const balancer = await this.balancerOf(connection, facts, signal).catch(giveUpWhatIsHeld);
    if (balancer !== null && balancer.state !== 'active')
      return pollLater([balancer], 'the provider creates the load balancer');
    const resource = await this.connectionResources.ensure(connection, facts, signal).catch(giveUpWhatIsHeld);
    if (resource !== null) await this.see(connection, resource, operation);
    return hop('awaiting_provider');
  }

  async awaiting_provider({ operation, signal }: StepContext) {
    const connection = await this.wanted(operation);
    if (connection === null) return done();
    const current = await this.connectionResources.find(connection, signal);
    const resource = current && isSettled(current) ? current : await this.continued(connection, signal);
    // A provider may show a new resource some seconds late.
    if (resource === null) return nap('1s', 'the provider does not show the connection yet');
    await this.see(connection, resource, operation);
    const { status, reason } = observationOf(resource);
    if (status === 'failed') throw new StepImpossible(reason ?? status);
    return isSettled(resource) ? done() : pollLater([resource], `the provider reports the status ${status}`);
  }

  /** Only this connection has failed, not the deployment. A connection that is being deleted keeps that status. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    await this.connections.see(connectionOf(operation), {
      status: 'failed',
      reason: failure.reason,
      attributes: null,
    });
    const facts = await this.runtimes.facts(deploymentOf(operation));
    if (facts) await this.ledger.failed(operation, facts, failure);
  }

  /**
   * The load balancer that the consumers of the connection reach, for a deployment whose other clients reach the nodes directly. Null:
   * the connection needs none, or the deployment has one since its creation.
   */
  private async balancerOf(
    { kind }: PrivateConnection,
    facts: DeploymentFacts,
    signal: AbortSignal,
  ): Promise<Resource<'load_balancer'> | null> {
    if (!OVER_A_BALANCER.includes(kind) || !(await this.resources.isReachedDirectly(facts))) return null;
    const balancer = await this.resources.ensureLoadBalancer(facts, await this.nodes.list(facts.id), signal);
    if (balancer.state === 'active') await this.runtimes.recordLoadBalancer(facts.id, balancer.attributes.address);
    return balancer;
  }

  /** Some providers make the resource of several parts: each call makes the next part, or says why a part has failed. */
  private async continued(connection: PrivateConnection, signal: AbortSignal): Promise<PrivateResource | null> {
    const facts = await this.resources.facts(connection.deploymentId);
    return this.connectionResources.ensure(connection, facts, signal).catch(giveUpWhatIsHeld);
  }

  /** Null: the connection is being deleted. The deletion waits until this operation ends without another call. */
  private async wanted(operation: OperationRow): Promise<PrivateConnection | null> {
    const connection = await this.connections.get(connectionOf(operation));
    if (!connection) throw new StepImpossible('the record of the connection no longer exists');
    return connection.deletingAt === null ? connection : null;
  }

  /** Not in the write of a hop: the provider's state is true for every worker, and a nap writes nothing. */
  private async see(
    connection: PrivateConnection,
    resource: PrivateResource,
    { trace_id }: OperationRow,
  ): Promise<void> {
    await this.reports.record(connection, resource, trace_id);
    const consumers = consumersOf(resource);
    if (consumers !== null) await this.consumers.see(new Map([[connection.id, consumers]]));
  }
}

/**
 * A quota or a missing permission fails the connection at once, with the provider's message: the customer can request
 * another connection after a person has acted.
 */
function giveUpWhatIsHeld(error: unknown): never {
  if (error instanceof CloudError && error.consequence === 'hold') throw new StepImpossible(error.message);
  throw error;
}
