import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@libs/object-store';
import { NodesRepository, PrivateConnectionsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import {
  done,
  hop,
  LEASE_SECONDS,
  nap,
  stepTable,
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import { deploymentObjects } from '../../platform/index.js';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { DeploymentDestruction, DESTRUCTION_HELD } from '../deployment-destruction.js';
import { pollLater } from '../poll-later.js';
import { deploymentOf } from '../subject.js';

export const DELETE_DEPLOYMENT = stepTable({
  awaiting_quiet: { to: ['destroying_resources'], deadline: '2m' },
  destroying_resources: { to: ['confirming_gone'], deadline: '10m' },
  confirming_gone: { to: ['forgetting', 'destroying_resources'], deadline: '2m' },
  forgetting: { to: [] },
});

/**
 * Destroys every resource of the deployment, and then deletes its rows. Never gives up: a deployment that
 * cannot be destroyed causes an incident, and the operation continues.
 */
@Injectable()
export class DeleteDeployment implements Workflow, StepsOf<typeof DELETE_DEPLOYMENT, StepContext> {
  readonly type = 'delete_deployment';
  readonly table = DELETE_DEPLOYMENT;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly connections: PrivateConnectionsRepository,
    private readonly resources: DeploymentResources,
    private readonly destruction: DeploymentDestruction,
    private readonly store: ObjectStore,
    private readonly ledger: DeploymentLedger,
  ) {}

  /** A worker of a superseded operation may still change the provider until its lease ends. */
  async awaiting_quiet({ operation }: StepContext) {
    await this.runtimes.move(deploymentOf(operation), 'deleting');
    const left = busySeconds(operation.memo) - operation.step_age_seconds;
    if (left > 0) return nap(`${Math.ceil(left * 1000)}ms`, 'waits for the end of the superseded operation');
    return hop('destroying_resources', { write: () => this.nodes.moveAll(deploymentOf(operation), 'deleting') });
  }

  async destroying_resources({ operation, signal }: StepContext) {
    if (await this.destruction.isHeld()) return nap('10s', DESTRUCTION_HELD);
    const left = await this.destruction.destroyAll(deploymentOf(operation), signal);
    return left.length === 0
      ? hop('confirming_gone')
      : pollLater(left, `the provider deletes ${left.length} resources`);
  }

  /**
   * A call that was running at the end of the lease may create its resource late, so this step checks again after
   * another lease.
   */
  async confirming_gone({ operation, signal }: StepContext) {
    const wait = busySeconds(operation.memo) > 0 ? LEASE_SECONDS : 0;
    const left = wait - operation.step_age_seconds;
    if (left > 0) return nap(`${Math.ceil(left * 1000)}ms`, 'checks again for resources that appeared late');
    const found = await this.destruction.count(deploymentOf(operation), signal);
    return found === 0 ? hop('forgetting') : hop('destroying_resources');
  }

  async forgetting({ operation }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    await this.store.removeBelow(deploymentObjects(facts.id));
    const write = async (): Promise<void> => {
      await this.ledger.deleted(operation, facts);
      await this.connections.forgetAll(facts.id);
      await this.runtimes.purge(facts.id);
    };
    return done({ write });
  }

  /** The step that was held has ended. */
  async entered(operation: OperationRow): Promise<void> {
    await this.runtimes.explain(deploymentOf(operation), 'deleting', null);
  }

  async held(operation: OperationRow, reason: string): Promise<void> {
    await this.runtimes.explain(deploymentOf(operation), 'deleting', reason);
  }
}

const busySeconds = (memo: Record<string, unknown>): number => Number(memo['busy_seconds'] ?? 0);
