import { Injectable } from '@nestjs/common';
import { DomainError, type DeploymentStatus, Written, type BackupId, type DeploymentId } from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { BackupsRepository, NodesRepository, RuntimesRepository, type BackupRow } from '@libs/persistence/runtime';
import { askedBy, DeploymentOperations, lockDeployment, targetOf, requireAlive } from '../platform/index.js';
import { backupDeletion } from './backup-deletion.js';
import { BackupRequests } from './backup-requests.js';
import type { BackupsQuery } from './dto/backups.query.js';
import type { BackupView } from './dto/backup.view.js';
import type { CreateBackupDto } from './dto/create-backup.dto.js';

const RESTORABLE: readonly DeploymentStatus[] = ['initialized', 'degraded', 'stopped'];

/** Backups of a deployment (C-19.4). */
@Injectable()
export class BackupsService {
  constructor(
    private readonly backups: BackupsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly requests: BackupRequests,
    private readonly operations: DeploymentOperations,
    private readonly ledger: Ledger,
  ) {}

  async list({ deployment }: ActingCaller, { status }: BackupsQuery): Promise<BackupView[]> {
    return (await this.backups.list(deployment.id, status)).map(toView);
  }

  /** @throws DomainError those of `BackupRequests.take` */
  async create(actor: ActingCaller, dto: CreateBackupDto): Promise<Written> {
    const { backup, operation } = await this.requests.take({
      deploymentId: actor.deployment.id,
      name: dto.name,
      type: dto.backup_type ?? 'manual',
      nodeId: dto.node_id ?? null,
      remarks: dto.remarks ?? null,
      expiresInDays: dto.expires_in_days,
      ...askedBy(actor),
    });
    await this.record(actor, 'backup_created', backup, dto.name);
    return new Written(undefined, { backup, operation });
  }

  /** @throws DomainError backup_not_found, state_conflict */
  async restore(actor: ActingCaller, id: BackupId): Promise<Written> {
    const deploymentId = actor.deployment.id;
    await lockDeployment(this.runtimes, deploymentId);
    const backup = await this.found(deploymentId, id);
    if (backup.status !== 'completed') throw notIn(backup, 'completed');
    await this.requireWhole(backup);
    const running = await this.backups.findRunning(deploymentId);
    if (running)
      throw new DomainError('state_conflict', 'A backup of the deployment is being taken.', {
        members: { state: 'in_progress', operation_id: running.operationId },
      });
    const operation = await this.operations.start(actor, 'restore_backup', RESTORABLE, { backup_id: id });
    await this.record(actor, 'backup_restored', id, backup.name);
    return new Written(undefined, { operation });
  }

  /** @throws DomainError backup_not_found, state_conflict */
  async delete(actor: ActingCaller, id: BackupId): Promise<Written> {
    const deploymentId = actor.deployment.id;
    requireAlive(await lockDeployment(this.runtimes, deploymentId));
    const backup = await this.found(deploymentId, id);
    if (!(await this.backups.markDeleting(deploymentId, id)))
      throw backup.status === 'completed' ? restored(backup) : notIn(backup, 'completed or failed');
    const operation = await this.operations.open(targetOf(actor), askedBy(actor), backupDeletion(id));
    await this.record(actor, 'backup_deleted', id, backup.name);
    return new Written(undefined, { operation });
  }

  /** A restore would leave nodes without a part with data of another time. */
  private async requireWhole({ deployment_id: deploymentId, id }: BackupRow): Promise<void> {
    const covered = (await this.backups.snapshots(deploymentId, id)).map(({ node_id }) => node_id);
    const missing = (await this.nodes.list(deploymentId)).filter(
      // In an embedded cluster only the first node stores data. The others forward connections to it.
      ({ id: nodeId, broker_driver: brokerDriver, ordinal }) =>
        !covered.includes(nodeId) && (brokerDriver !== 'embedded' || ordinal === 1),
    );
    if (missing.length === 0) return;
    throw new DomainError(
      'state_conflict',
      `The backup lacks the data of ${missing.map(({ name }) => name).join(', ')}.`,
      {
        members: { state: 'partial', nodes: missing.map(({ id: nodeId }) => nodeId) },
      },
    );
  }

  private async found(deploymentId: DeploymentId, id: BackupId): Promise<BackupRow> {
    const backup = await this.backups.find(deploymentId, id);
    if (!backup) throw new DomainError('backup_not_found', 'No such backup.');
    return backup;
  }

  private async record(
    actor: ActingCaller,
    audit: 'backup_created' | 'backup_restored' | 'backup_deleted',
    id: BackupId,
    name: string,
  ): Promise<void> {
    const { author, context, traceId } = actor;
    await this.ledger.record({ audit, author, context, data: { backup_id: id, name }, traceId });
  }
}

const notIn = ({ status }: BackupRow, expected: string): DomainError =>
  new DomainError('state_conflict', `The backup is \`${status}\`. This request needs status ${expected}.`, {
    members: { state: status },
  });

const restored = ({ status }: BackupRow): DomainError =>
  new DomainError('state_conflict', 'The backup is being restored. Delete it after the restore has ended.', {
    members: { state: status },
  });

const toView = (row: BackupRow): BackupView => ({
  ...row,
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
  created_at: row.created_at.toISOString(),
});
