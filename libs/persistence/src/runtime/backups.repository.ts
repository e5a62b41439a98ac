import { Injectable } from '@nestjs/common';
import type { BackupId, DeploymentId, NodeId, OperationId, TenantId, UserId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { Expired } from './expired.js';
import type { Backup } from './entities/backup.entity.js';
import type { BackupSnapshot as BackupSnapshotEntity } from './entities/backup-snapshot.entity.js';

export const BACKUP_TYPES = ['manual', 'scheduled', 'pre_upgrade'] as const;
export type BackupType = (typeof BACKUP_TYPES)[number];
export const BACKUP_STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'deleting'] as const;
export type BackupStatus = (typeof BACKUP_STATUSES)[number];

/** A backup (C-19.2) with totals over the snapshots of its nodes. */
export interface BackupRow extends Pick<
  Backup,
  | 'id'
  | 'deployment_id'
  | 'node_id'
  | 'name'
  | 'backup_type'
  | 'status'
  | 'region'
  | 'remarks'
  | 'started_at'
  | 'completed_at'
  | 'expires_at'
  | 'created_at'
> {
  snapshot_ids: string[];
  volume_ids: string[];
  size_bytes: number;
}

/** The data of one node at the time of the backup. */
export type BackupSnapshot = Pick<
  BackupSnapshotEntity,
  'node_id' | 'snapshot_id' | 'volume_id' | 'object_key' | 'sha256' | 'size_bytes'
>;

export interface NewBackup {
  deploymentId: DeploymentId;
  operationId: OperationId;
  nodeId: NodeId | null;
  name: string;
  backupType: BackupType;
  region: string;
  remarks: string | null;
  authorId: UserId | null;
  expiresInDays: number;
  /** Whether the schedule of the deployment took the backup. Only then the schedule may delete it. */
  isBySchedule: boolean;
}

const SELECT = `select b.id, b.deployment_id, b.node_id, b.name, b.backup_type, b.status, b.region, nullif(b.remarks, '') as remarks, b.started_at,
          b.completed_at, b.expires_at, b.created_at, coalesce(s.snapshot_ids, '{}') as snapshot_ids,
          coalesce(s.volume_ids, '{}') as volume_ids, coalesce(s.size_bytes, 0)::bigint as size_bytes
     from backups b left join lateral (
       select array_agg(snapshot_id order by node_id) as snapshot_ids, array_agg(volume_id order by node_id) as volume_ids,
              sum(size_bytes) as size_bytes from backup_snapshots where backup_id = b.id) s on true`;
// The plan allows few backups. Failed backups stay until they expire.
const FIND_TAKEN = statement('backup.taken', 'select id, node_id as "nodeId" from backups where operation_id = $1');
const FIND_NAMED = statement(
  'backup.named',
  `${SELECT} where b.deployment_id = $1 and b.name = $2 and b.backup_type = $3 order by b.id desc limit 1`,
);
const LIST = statement(
  'backup.list',
  `${SELECT} where b.deployment_id = $1 and b.expires_at > now() and ($2::text is null or b.status = $2) order by b.id desc limit 200`,
);
const FIND = statement('backup.find', `${SELECT} where b.deployment_id = $1 and b.id = $2 and b.expires_at > now()`);
const COUNT = statement(
  'backup.count',
  `select count(*)::int as count from backups where deployment_id = $1 and status not in ('failed', 'deleting') and expires_at > now()`,
);
const REGIONS = statement(
  'backup.regions',
  `select distinct b.region from backups b join deployments d on d.id = b.deployment_id
    where d.tenant_id = $1 and b.status <> 'failed'`,
);
const FIND_RUNNING = statement(
  'backup.running',
  `select id, operation_id as "operationId" from backups where deployment_id = $1 and status in ('pending', 'in_progress')`,
);
const INSERT = statement(
  'backup.insert',
  `insert into backups (deployment_id, operation_id, node_id, name, backup_type, region, remarks, author_id, expires_at, by_schedule)
   values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9), $10) returning id`,
);
const START = statement(
  'backup.start',
  `update backups set status = 'in_progress', started_at = now() where operation_id = $1 and status = 'pending'`,
);
const END = statement(
  'backup.end',
  `update backups set status = 'completed', completed_at = now()
    where operation_id = $1 and status in ('pending', 'in_progress') returning id`,
);
const FAIL = statement(
  'backup.fail',
  `update backups set status = 'failed', completed_at = now()
    where operation_id = $1 and status in ('pending', 'in_progress') returning id, backup_type as "backupType"`,
);
const SET_KEY = statement('backup.set_key', 'update backups set data_key_id = $2 where operation_id = $1');
const KEY_ID = statement('backup.key', 'select data_key_id from backups where deployment_id = $1 and id = $2');
// Its own deployment is restored, or a new deployment is created from it.
const NOT_RESTORED = `not exists (
  select 1 from operations o where o.type in ('restore_backup', 'provision_deployment')
     and o.status in ('pending', 'running') and (o.memo ->> 'backup_id')::bigint = b.id)`;
const MARK_DELETING = statement(
  'backup.mark_deleting',
  `update backups b set status = 'deleting'
    where deployment_id = $1 and id = $2 and status in ('completed', 'failed') and ${NOT_RESTORED}`,
);
const REMOVE = statement(
  'backup.remove',
  `delete from backups where deployment_id = $1 and id = $2 and status = 'deleting'`,
);
const SNAPSHOTS = statement(
  'backup.snapshots',
  `select s.node_id, s.snapshot_id, s.volume_id, s.object_key, s.sha256, s.size_bytes
     from backup_snapshots s join backups b on b.id = s.backup_id
    where b.deployment_id = $1 and b.id = $2 order by s.node_id`,
);
const INSERT_SNAPSHOTS = statement(
  'backup.insert_snapshots',
  `insert into backup_snapshots (backup_id, node_id, snapshot_id, volume_id, object_key, sha256, size_bytes)
   select $1, s.* from jsonb_to_recordset($2::jsonb)
     as s(node_id bigint, snapshot_id text, volume_id text, object_key text, sha256 text, size_bytes bigint)`,
);
// The newest backups of a schedule stay. Backups that the schedule did not take stay, too. Two reads with an index each: one
// condition on all backups would count the newer backups of each of them. `offset 0` forces a lookup of each schedule.
const FIND_EXPIRED = statement(
  'backup.expired',
  `with due as (
     select id, deployment_id, expires_at from backups where status in ('completed', 'failed') and expires_at <= now()
      union
     select excess.* from deployment_runtimes r
      cross join lateral (select o.* from backup_schedules o where o.deployment_id = r.deployment_id offset 0) s
      cross join lateral (
        select n.id, n.deployment_id, n.expires_at from backups n
         where n.deployment_id = s.deployment_id and n.by_schedule and n.status = 'completed' and n.expires_at > now()
         order by n.id desc offset s.keep) excess
      where r.cell = $1 and r.deleted_at is null
   )
   select b.id, b.deployment_id as "deploymentId" from due b
     join deployment_runtimes r on r.deployment_id = b.deployment_id
    where r.cell = $1 and r.deleted_at is null and r.status <> 'deleting' and ${NOT_RESTORED}
    order by b.expires_at limit 20`,
);

/** Backups of deployments. */
@Injectable()
export class BackupsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(deploymentId: DeploymentId, status: BackupStatus | null = null): Promise<BackupRow[]> {
    return this.database.query<BackupRow>(LIST, [deploymentId, status]);
  }

  async find(deploymentId: DeploymentId, id: BackupId): Promise<BackupRow | null> {
    return this.database.first<BackupRow>(FIND, [deploymentId, id]);
  }

  /** The backup that an operation creates. */
  async findTaken(operationId: OperationId): Promise<{ id: BackupId; nodeId: NodeId | null } | null> {
    return this.database.first<{ id: BackupId; nodeId: NodeId | null }>(FIND_TAKEN, [operationId]);
  }

  /** The newest backup with this name. */
  async findNamed(deploymentId: DeploymentId, name: string, type: BackupType): Promise<BackupRow | null> {
    return this.database.first<BackupRow>(FIND_NAMED, [deploymentId, name, type]);
  }

  /** Number of backups that count against the plan. Failed ones, and those that are being deleted, do not count. */
  async count(deploymentId: DeploymentId): Promise<number> {
    return (await this.database.query<{ count: number }>(COUNT, [deploymentId]))[0]?.count ?? 0;
  }

  /** Regions in which the tenant has backups. */
  async regions(tenantId: TenantId): Promise<string[]> {
    return (await this.database.query<{ region: string }>(REGIONS, [tenantId])).map(({ region }) => region);
  }

  /** The backup that is being created. */
  async findRunning(deploymentId: DeploymentId): Promise<{ id: BackupId; operationId: OperationId } | null> {
    return this.database.first<{ id: BackupId; operationId: OperationId }>(FIND_RUNNING, [deploymentId]);
  }

  /** The caller must have locked the deployment. */
  async insert(backup: NewBackup): Promise<BackupId> {
    const { deploymentId, operationId, nodeId, name, backupType, region, remarks, authorId, expiresInDays } = backup;
    const row = [deploymentId, operationId, nodeId, name, backupType, region, remarks, authorId, expiresInDays];
    return (await this.database.query<{ id: BackupId }>(INSERT, [...row, backup.isBySchedule]))[0]?.id ?? 0;
  }

  /** `keyId`: the key of the data. Null for a deployment without encryption. */
  async start(operationId: OperationId, keyId: string | null): Promise<void> {
    await this.database.execute(START, [operationId]);
    if (keyId !== null) await this.database.execute(SET_KEY, [operationId, keyId]);
  }

  /** The key that the data of the backup needs. Null: the data is not encrypted. */
  async keyIdOf(deploymentId: DeploymentId, id: BackupId): Promise<string | null> {
    return (await this.database.first<{ data_key_id: string | null }>(KEY_ID, [deploymentId, id]))?.data_key_id ?? null;
  }

  /** Marks the backup as complete and stores the snapshots of its nodes. */
  async complete(operationId: OperationId, snapshots: readonly BackupSnapshot[]): Promise<void> {
    const [backup] = await this.database.query<{ id: BackupId }>(END, [operationId]);
    if (backup) await this.database.execute(INSERT_SNAPSHOTS, [backup.id, JSON.stringify(snapshots)]);
  }

  /** Returns the failed backup. Null when the operation takes none, or it has ended. */
  async fail(operationId: OperationId): Promise<{ id: BackupId; backupType: BackupType } | null> {
    return this.database.first<{ id: BackupId; backupType: BackupType }>(FAIL, [operationId]);
  }

  /**
   * Returns false for a backup that is missing, being created or being restored. The caller must have locked the deployment.
   */
  async markDeleting(deploymentId: DeploymentId, id: BackupId): Promise<boolean> {
    return (await this.database.execute(MARK_DELETING, [deploymentId, id])) === 1;
  }

  async remove(deploymentId: DeploymentId, id: BackupId): Promise<void> {
    await this.database.execute(REMOVE, [deploymentId, id]);
  }

  /** The snapshots of its nodes. */
  async snapshots(deploymentId: DeploymentId, id: BackupId): Promise<BackupSnapshot[]> {
    return this.database.query<BackupSnapshot>(SNAPSHOTS, [deploymentId, id]);
  }

  /** Some backups of the cell's deployments that are expired, or that their schedule does not keep. Excludes backups in a restore, and deployments that are being deleted. */
  async findExpired(cell: string): Promise<Expired<BackupId>[]> {
    return this.database.query<Expired<BackupId>>(FIND_EXPIRED, [cell]);
  }
}
