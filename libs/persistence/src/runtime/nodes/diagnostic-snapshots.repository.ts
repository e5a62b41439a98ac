import { Injectable } from '@nestjs/common';
import type {
  DeploymentId,
  DiagnosticSnapshotId,
  DivisionId,
  EnvironmentId,
  NodeId,
  OperationId,
  TenantId,
  UserId,
} from '@libs/domain';
import { IsNull, Not } from 'typeorm';
import { inFuture } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../../page-of.js';
import type { Expired } from '../expired.js';
import { DiagnosticSnapshot } from './entities/diagnostic-snapshot.entity.js';

/** A diagnostic snapshot (C-20.2). */
export type DiagnosticSnapshotRow = Pick<
  DiagnosticSnapshot,
  | 'id'
  | 'tenant_id'
  | 'division_id'
  | 'environment_id'
  | 'deployment_id'
  | 'node_id'
  | 'deployment_name'
  | 'name'
  | 'status'
  | 'created_at'
  | 'completed_at'
>;

/** The settings for the collection of a snapshot. */
export interface TakenSnapshot extends Pick<DiagnosticSnapshot, 'id' | 'name'> {
  redactSecrets: boolean;
  includeData: boolean;
  createdAt: Date;
}

export interface NewDiagnosticSnapshot {
  operationId: OperationId;
  tenantId: TenantId;
  divisionId: DivisionId;
  environmentId: EnvironmentId;
  deploymentId: DeploymentId;
  deploymentName: string;
  authorId: UserId | null;
  redactSecrets: boolean;
  includeData: boolean;
  keptDays: number;
}

const COLUMNS = `id, tenant_id, division_id, environment_id, deployment_id, node_id, deployment_name, name, status, created_at,
  completed_at`;
// Hides snapshots that are being deleted (the deleting workflow reads them by id).
const OF_DEPLOYMENT =
  'from diagnostic_snapshots where deployment_id = $1 and deleting_at is null and expires_at > now()';
// A snapshot of all nodes also covers each single node.
const OF_NODE = `${OF_DEPLOYMENT} and (node_id is null and exists (select 1 from nodes n where n.deployment_id = $1 and n.id = $2) or node_id = $2)`;
const ORDER = { id: 'id', keys: { created_at: byTime('created_at') } };
const LIST = paged('diagnostic_snapshot.list', { columns: COLUMNS, rows: OF_DEPLOYMENT, ...ORDER });
const LIST_OF_NODE = paged('diagnostic_snapshot.list_of_node', { columns: COLUMNS, rows: OF_NODE, ...ORDER });
const INSERT = statement(
  'diagnostic_snapshot.insert',
  `insert into diagnostic_snapshots (operation_id, tenant_id, division_id, environment_id, deployment_id, deployment_name, name,
     author_id, redact_secrets, include_data, expires_at)
   values ($1, $2, $3, $4, $5, $6, $6 || to_char(now() at time zone 'utc', '"-"YYYYMMDD"-"HH24MISS'), $7, $8, $9,
           now() + make_interval(days => $10)) returning id, name`,
);
const FIND_EXPIRED = statement(
  'diagnostic_snapshot.expired',
  `select s.id, s.deployment_id as "deploymentId" from diagnostic_snapshots s
     join deployment_runtimes r on r.deployment_id = s.deployment_id
    where r.cell = $1 and r.deleted_at is null and r.status <> 'deleting'
      and s.status = 'completed' and s.deleting_at is null and s.expires_at <= now()
    order by s.expires_at limit 20`,
);

const unexpired = () => ({ deleting_at: IsNull(), expires_at: inFuture() });

/** Diagnostic snapshots of deployments. */
@Injectable()
export class DiagnosticSnapshotsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. With a node, only snapshots that cover it. */
  async list(
    deploymentId: DeploymentId,
    nodeId: NodeId | null,
    request: PageRequest,
  ): Promise<PageOf<DiagnosticSnapshotRow>> {
    return nodeId === null
      ? readPage<DiagnosticSnapshotRow>(this.database, LIST, [deploymentId], request)
      : readPage<DiagnosticSnapshotRow>(this.database, LIST_OF_NODE, [deploymentId, nodeId], request);
  }

  async count(deploymentId: DeploymentId): Promise<number> {
    return this.database.repository(DiagnosticSnapshot).countBy({ deployment_id: deploymentId, ...unexpired() });
  }

  async find(deploymentId: DeploymentId, id: DiagnosticSnapshotId): Promise<DiagnosticSnapshotRow | null> {
    return this.database.repository(DiagnosticSnapshot).findOneBy({ deployment_id: deploymentId, id, ...unexpired() });
  }

  /** The operation that is creating a snapshot. */
  async findProcessing(deploymentId: DeploymentId): Promise<OperationId | null> {
    const where = { deployment_id: deploymentId, status: 'processing' as const };
    const snapshot = await this.database.repository(DiagnosticSnapshot).findOneBy(where);
    return snapshot?.operation_id ?? null;
  }

  /** The snapshot that an operation creates. */
  async findTaken(operationId: OperationId): Promise<TakenSnapshot | null> {
    const where = { operation_id: operationId };
    const snapshot = await this.database.repository(DiagnosticSnapshot).findOneBy(where);
    if (!snapshot) return null;
    const { id, name, redact_secrets, include_data, created_at } = snapshot;
    return { id, name, redactSecrets: redact_secrets, includeData: include_data, createdAt: created_at };
  }

  /** The caller must have locked the deployment. The name consists of the deployment's name and the UTC time in seconds. */
  async insert(snapshot: NewDiagnosticSnapshot): Promise<{ id: DiagnosticSnapshotId; name: string }> {
    const { operationId, tenantId, divisionId, environmentId, deploymentId, deploymentName } = snapshot;
    const values = [tenantId, divisionId, environmentId, deploymentId, deploymentName];
    const rest = [snapshot.authorId, snapshot.redactSecrets, snapshot.includeData, snapshot.keptDays];
    const [row] = await this.database.query<{ id: DiagnosticSnapshotId; name: string }>(INSERT, [
      operationId,
      ...values,
      ...rest,
    ]);
    return row ?? { id: 0, name: '' };
  }

  async complete(operationId: OperationId, sizeBytes: number): Promise<void> {
    const changes = { status: 'completed', completed_at: () => 'now()', size_bytes: sizeBytes } as const;
    const processing = { operation_id: operationId, status: 'processing' as const };
    await this.database.repository(DiagnosticSnapshot).update(processing, changes);
  }

  /** Deletes the record of a snapshot that failed. */
  async abandon(operationId: OperationId): Promise<void> {
    await this.database.repository(DiagnosticSnapshot).delete({ operation_id: operationId, status: 'processing' });
  }

  /** Returns false for a snapshot that is missing or being created. */
  async markDeleting(deploymentId: DeploymentId, id: DiagnosticSnapshotId): Promise<boolean> {
    const completed = { deployment_id: deploymentId, id, status: 'completed' as const, deleting_at: IsNull() };
    const changes = { deleting_at: () => 'now()' };
    const { affected } = await this.database.repository(DiagnosticSnapshot).update(completed, changes);
    return affected === 1;
  }

  async remove(deploymentId: DeploymentId, id: DiagnosticSnapshotId): Promise<void> {
    const snapshot = { deployment_id: deploymentId, id, deleting_at: Not(IsNull()) };
    await this.database.repository(DiagnosticSnapshot).delete(snapshot);
  }

  /** Some expired snapshots of the cell's deployments. Excludes deployments that are being deleted. */
  async findExpired(cell: string): Promise<Expired<DiagnosticSnapshotId>[]> {
    return this.database.query<Expired<DiagnosticSnapshotId>>(FIND_EXPIRED, [cell]);
  }
}
