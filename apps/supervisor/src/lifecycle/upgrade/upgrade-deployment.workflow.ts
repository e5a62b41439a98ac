import { Injectable } from '@nestjs/common';
import type { UpgradeMemo } from '@libs/domain';
import { UpgradesRepository } from '@libs/persistence/organization';
import { RuntimesRepository } from '@libs/persistence/runtime';
import {
  done,
  hop,
  nap,
  stepTable,
  type Failure,
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { pollLater } from '../poll-later.js';
import { deploymentOf } from '../subject.js';
import { UpgradeBackup } from './upgrade-backup.js';
import { UpgradeNodes } from './upgrade-nodes.js';

export const UPGRADE_DEPLOYMENT = stepTable({
  checking_nodes: { to: ['taking_backup', 'resizing_node', 'changing_terms'], deadline: '2m', giveUpAfter: '10m' },
  taking_backup: { to: ['waiting_for_backup', 'resizing_node'], deadline: '10m', giveUpAfter: '1h' },
  waiting_for_backup: { to: ['resizing_node'], deadline: '30m', giveUpAfter: '6h' },
  resizing_node: {
    to: ['waiting_for_node', 'changing_terms'],
    deadline: '5m',
    giveUpAfter: '20m',
    undoneBy: 'restoring_nodes',
  },
  waiting_for_node: { to: ['resizing_node'], deadline: '3m', giveUpAfter: '10m', undoneBy: 'restoring_nodes' },
  changing_terms: { to: [] },
  restoring_nodes: { to: [], deadline: '10m', isUndo: true },
});

/**
 * Gives a deployment a larger size, one node after the other. The next node changes only when the one before serves
 * again, so never two nodes are down at once. When a node does not come back, all nodes get their old size again, and
 * the deployment keeps its old shape.
 */
@Injectable()
export class UpgradeDeployment implements Workflow, StepsOf<typeof UPGRADE_DEPLOYMENT, StepContext> {
  readonly type = 'upgrade_deployment';
  readonly table = UPGRADE_DEPLOYMENT;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly upgrades: UpgradesRepository,
    private readonly nodes: UpgradeNodes,
    private readonly resources: DeploymentResources,
    private readonly backup: UpgradeBackup,
    private readonly ledger: DeploymentLedger,
  ) {}

  /** An upgrade does not start while a node is down. */
  async checking_nodes({ operation, signal }: StepContext) {
    if (!memoOf(operation).is_hardware) return hop('changing_terms');
    await this.runtimes.move(deploymentOf(operation), 'upgrading');
    const missing = await this.nodes.turns.missing(operation, signal);
    return missing === null ? hop('taking_backup') : nap('5s', missing);
  }

  /** Keeps the state before the upgrade in a backup, where backups apply (C-19.6). */
  async taking_backup({ operation }: StepContext) {
    const asked = await this.backup.take(operation);
    if (asked === 'another_is_taken') return nap('5s', 'waits for the end of another backup');
    return hop(asked === 'taken' ? 'waiting_for_backup' : 'resizing_node');
  }

  /** Also waits until the nodes have removed the orders of the backup. */
  async waiting_for_backup({ operation, signal }: StepContext) {
    if (!(await this.backup.isTaken(operation))) return nap('2s', 'waits for the end of the backup');
    const missing = await this.nodes.turns.missing(operation, signal);
    return missing === null ? hop('resizing_node') : nap('1s', missing);
  }

  async resizing_node({ operation, signal }: StepContext) {
    const resized = await this.nodes.resizeCurrent(operation, memoOf(operation).to, signal);
    if (resized === null) return hop('changing_terms');
    if ('write' in resized) return hop('waiting_for_node', resized);
    return pollLater([resized.pending], resized.pending.reason ?? 'the provider changes the size of the node');
  }

  async waiting_for_node({ operation, signal }: StepContext) {
    const memo = await this.nodes.turns.passOn(operation, signal);
    return memo === null ? nap('2s', 'a node starts with its new size') : hop('resizing_node', { memo });
  }

  async changing_terms({ operation }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    return done({
      write: async () => {
        await this.runtimes.move(facts.id, 'initialized');
        await this.upgrades.apply(operation.id);
        await this.ledger.upgraded(operation, facts, memoOf(operation));
      },
    });
  }

  async restoring_nodes({ operation, signal }: StepContext) {
    const pending = await this.nodes.bringBack(operation, signal);
    if (pending !== null) return pollLater([pending], pending.reason ?? 'the provider changes the size of a node back');
    const missing = await this.nodes.turns.missing(operation, signal);
    return missing === null ? done() : nap('2s', missing);
  }

  /** The step that was held has ended. */
  async entered(operation: OperationRow): Promise<void> {
    await this.runtimes.explain(deploymentOf(operation), 'upgrading', null);
  }

  async held(operation: OperationRow, reason: string): Promise<void> {
    await this.runtimes.explain(deploymentOf(operation), operation.undoing ? 'rolling_back' : 'upgrading', reason);
  }

  /**
   * Publishes the old sizes in the transaction that starts the undo. So a worker that lost the lease cannot publish
   * other sizes.
   */
  async undoing(operation: OperationRow, { reason }: Failure): Promise<void> {
    await this.runtimes.move(deploymentOf(operation), 'rolling_back', reason);
    await this.nodes.resizeAll(operation, memoOf(operation).from);
  }

  /** The deployment serves with its old shape, so the operation fails, but not the deployment. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    const id = deploymentOf(operation);
    await this.runtimes.move(id, 'initialized', failure.reason);
    await this.ledger.failed(operation, await this.resources.facts(id), failure);
  }
}

const memoOf = (operation: OperationRow): UpgradeMemo => operation.memo as unknown as UpgradeMemo;
