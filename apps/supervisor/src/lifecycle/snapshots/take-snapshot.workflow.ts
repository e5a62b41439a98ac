import { Injectable } from '@nestjs/common';
import { DIAGNOSTICS_LIMITS } from '@libs/domain';
import { ObjectStore } from '@libs/object-store';
import {
  DiagnosticSnapshotsRepository,
  NodesRepository,
  RuntimesRepository,
  TelemetryRepository,
  type NewOrder,
  type NodeRow,
  type OrderRow,
  type TakenSnapshot,
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
import { archiveLimitBytes, snapshotObjects, snapshotPart, snapshotParts } from '../../platform/index.js';
import { SnapshotBuilder, type CollectedNode } from '../../snapshots/index.js';
import { DeploymentLedger } from '../deployment-ledger.js';
import { NodeWork } from '../node-work.js';
import { deploymentOf } from '../subject.js';

export const TAKE_SNAPSHOT = stepTable({
  collecting_nodes: { to: ['awaiting_nodes'], deadline: '1m', giveUpAfter: '5m' },
  awaiting_nodes: {
    to: ['building_report'],
    deadline: '35m',
    giveUpAfter: '2h',
    undoneBy: 'discarding_snapshot',
  },
  building_report: { to: ['clearing_parts'], deadline: '10m', giveUpAfter: '1h' },
  clearing_parts: { to: [], deadline: '10m' },
  discarding_snapshot: { to: [], deadline: '10m', isUndo: true },
});

/** Three missing reports: the snapshot does not wait for a node that is silent for this time. */
const SILENT_SECONDS = 36;
/** Maximum seconds for a node that reports: to send diagnostics, or also to upload its data. */
const PATIENCE_SECONDS = { facts: 180, data: 1_800 };

/**
 * Collects the diagnostics of the nodes in one archive. A failing node does not block the others: its part of the
 * report contains the reason. The deployment is not changed, and dead nodes are not restarted.
 */
@Injectable()
export class TakeSnapshot implements Workflow, StepsOf<typeof TAKE_SNAPSHOT, StepContext> {
  readonly type = 'take_snapshot';
  readonly table = TAKE_SNAPSHOT;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly nodes: NodesRepository,
    private readonly snapshots: DiagnosticSnapshotsRepository,
    private readonly telemetry: TelemetryRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly store: ObjectStore,
    private readonly work: NodeWork,
    private readonly builder: SnapshotBuilder,
    private readonly ledger: DeploymentLedger,
  ) {}

  async collecting_nodes({ operation }: StepContext) {
    const snapshot = await this.snapshot(operation);
    const nodes = await this.nodes.list(deploymentOf(operation));
    const orders = nodes.map((node) => orderFor(node, snapshot));
    return hop('awaiting_nodes', { write: () => this.work.give(operation, orders) });
  }

  async awaiting_nodes({ operation }: StepContext) {
    const { includeData } = await this.snapshot(operation);
    const orders = await this.work.orders(operation);
    const latest = await this.telemetry.latest(deploymentOf(operation), SILENT_SECONDS);
    const heard = new Set(latest.filter((node) => node.is_reachable).map(({ node_id: id }) => id));
    const isOver = operation.step_age_seconds > PATIENCE_SECONDS[includeData ? 'data' : 'facts'];
    const open = orders.filter(({ status, nodeId }) => status === 'open' && heard.has(nodeId));
    if (open.length > 0 && !isOver) return nap('1s', `waits for ${open.length} of ${orders.length} nodes`);
    const collected = orders.map((order) => toCollected(order, heard.has(order.nodeId)));
    // From here on no node uploads, so the next reads cannot change.
    return hop('building_report', { memo: { collected }, write: () => this.work.withdraw(operation) });
  }

  async building_report({ operation, signal }: StepContext) {
    const snapshot = await this.snapshot(operation);
    const collected = operation.memo['collected'] as CollectedNode[];
    const size = await this.builder.build(deploymentOf(operation), snapshot, collected, signal);
    if (size === null) throw new StepImpossible('the deployment no longer exists');
    return hop('clearing_parts', { memo: { size_bytes: size } });
  }

  async clearing_parts({ operation }: StepContext) {
    const { id } = await this.snapshot(operation);
    await this.store.removeBelow(snapshotParts(deploymentOf(operation), id));
    return done({ write: () => this.snapshots.complete(operation.id, Number(operation.memo['size_bytes'])) });
  }

  async discarding_snapshot({ operation }: StepContext) {
    const { id } = await this.snapshot(operation);
    await this.store.removeBelow(snapshotObjects(deploymentOf(operation), id));
    return done();
  }

  /** Stops nodes that still upload, before the uploaded objects are deleted. */
  async undoing(operation: OperationRow): Promise<void> {
    await this.work.withdraw(operation);
  }

  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    await this.snapshots.abandon(operation.id);
    const facts = await this.runtimes.facts(deploymentOf(operation));
    if (facts) await this.ledger.failed(operation, facts, failure);
  }

  private async snapshot(operation: OperationRow): Promise<TakenSnapshot> {
    const snapshot = await this.snapshots.findTaken(operation.id);
    if (!snapshot) throw new StepImpossible('the record of the snapshot no longer exists');
    return snapshot;
  }
}

function orderFor(
  { id, deployment_id: deploymentId, storage_size: storageSize }: NodeRow,
  snapshot: TakenSnapshot,
): NewOrder {
  const keys = snapshotPart(deploymentId, snapshot.id, id);
  return {
    nodeId: id,
    kind: 'collect_diagnostics',
    options: { redact_secrets: snapshot.redactSecrets, include_data: snapshot.includeData },
    objects: {
      diagnostics: { key: keys.diagnostics, limit_bytes: DIAGNOSTICS_LIMITS.packedBytes },
      ...(snapshot.includeData && { data: { key: keys.data, limit_bytes: archiveLimitBytes(storageSize) } }),
    },
  };
}

function toCollected({ nodeId, status, error, results, objects }: OrderRow, isHeard: boolean): CollectedNode {
  const silent = isHeard ? 'it did not respond in time' : 'it was not reachable';
  if (status !== 'done')
    return { node_id: nodeId, diagnostics: null, data: null, missing: status === 'failed' ? error : silent };
  return {
    node_id: nodeId,
    diagnostics: results.diagnostics ? (objects.diagnostics?.key ?? null) : null,
    data: results.data ? (objects.data?.key ?? null) : null,
    missing: null,
  };
}
