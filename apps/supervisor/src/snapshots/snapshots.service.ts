import { Injectable } from '@nestjs/common';
import { DomainError, Written, type DeploymentId, type DiagnosticSnapshotId } from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import {
  DiagnosticSnapshotsRepository,
  RuntimesRepository,
  type DiagnosticSnapshotRow,
} from '@libs/persistence/runtime';
import { askedBy, DeploymentOperations, lockDeployment, targetOf, requireAlive } from '../platform/index.js';
import type { CreateSnapshotDto } from './dto/create-snapshot.dto.js';
import type { ListSnapshotsQuery } from './dto/list-snapshots.query.js';
import type { SnapshotDownloadView, SnapshotView } from './dto/snapshot.view.js';
import type { OpenArchive } from './send-archive.js';
import { SnapshotArchives } from './snapshot-archives.js';
import { snapshotDeletion } from './snapshot-deletion.js';
import { SnapshotRequests } from './snapshot-requests.js';

/** Diagnostic snapshots of a deployment (C-20.3). */
@Injectable()
export class SnapshotsService {
  constructor(
    private readonly snapshots: DiagnosticSnapshotsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly requests: SnapshotRequests,
    private readonly archives: SnapshotArchives,
    private readonly operations: DeploymentOperations,
    private readonly ledger: Ledger,
  ) {}

  async list({ deployment }: ActingCaller, query: ListSnapshotsQuery): Promise<Page<SnapshotView>> {
    return Page.of(await this.snapshots.list(deployment.id, query.node ?? null, query), toView, query);
  }

  /** @throws DomainError those of `SnapshotRequests.take` */
  async create(actor: ActingCaller, dto: CreateSnapshotDto): Promise<Written> {
    const { snapshot, name, operation } = await this.requests.take({
      deploymentId: actor.deployment.id,
      redactSecrets: dto.redact_secrets ?? true,
      includeData: dto.include_iggy ?? true,
      ...askedBy(actor),
    });
    await this.record(actor, 'snapshot_created', snapshot, name);
    return new Written(undefined, { snapshot, operation });
  }

  /** @throws DomainError snapshot_not_found, state_conflict */
  async download({ deployment }: ActingCaller, id: DiagnosticSnapshotId): Promise<SnapshotDownloadView> {
    const snapshot = await this.found(deployment.id, id);
    requireCompleted(snapshot);
    return { url: await this.archives.address(snapshot) };
  }

  /** @throws DomainError download_link_invalid, snapshot_not_found */
  async archive(token: string): Promise<OpenArchive> {
    const { deploymentId, snapshotId } = this.archives.named(token);
    return this.archives.open(await this.found(deploymentId, snapshotId));
  }

  /** @throws DomainError snapshot_not_found, state_conflict */
  async delete(actor: ActingCaller, id: DiagnosticSnapshotId): Promise<Written> {
    const deploymentId = actor.deployment.id;
    requireAlive(await lockDeployment(this.runtimes, deploymentId));
    const snapshot = await this.found(deploymentId, id);
    requireCompleted(snapshot);
    await this.snapshots.markDeleting(deploymentId, id);
    const operation = await this.operations.open(targetOf(actor), askedBy(actor), snapshotDeletion(id));
    await this.record(actor, 'snapshot_deleted', id, snapshot.name);
    return new Written(undefined, { operation });
  }

  private async found(deploymentId: DeploymentId, id: DiagnosticSnapshotId): Promise<DiagnosticSnapshotRow> {
    const snapshot = await this.snapshots.find(deploymentId, id);
    if (!snapshot) throw new DomainError('snapshot_not_found', 'No such diagnostic snapshot.');
    return snapshot;
  }

  private async record(
    { author, context, traceId }: ActingCaller,
    audit: 'snapshot_created' | 'snapshot_deleted',
    id: DiagnosticSnapshotId,
    name: string,
  ): Promise<void> {
    await this.ledger.record({ audit, author, context, data: { snapshot_id: id, name }, traceId });
  }
}

function requireCompleted({ status }: DiagnosticSnapshotRow): void {
  if (status === 'completed') return;
  throw new DomainError('state_conflict', 'The snapshot is being taken.', { members: { state: status } });
}

const toView = (row: DiagnosticSnapshotRow): SnapshotView => ({
  id: row.id,
  tenant_id: row.tenant_id,
  division_id: row.division_id,
  environment_id: row.environment_id,
  deployment_id: row.deployment_id,
  node_id: row.node_id,
  deployment_name: row.deployment_name,
  name: row.name,
  status: row.status,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});
