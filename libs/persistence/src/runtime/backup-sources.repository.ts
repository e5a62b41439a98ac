import { Injectable } from '@nestjs/common';
import type { BackupId, BrokerDriver, DeploymentId, DivisionId, EnvironmentId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { BackupStatus } from './backups.repository.js';

/** A node of the deployment that was backed up. */
export interface SourceNode {
  name: string;
  ordinal: number;
  driver: BrokerDriver;
  version: string;
  /** Whether the backup has the data of the node. */
  covered: boolean;
}

/** The place of snapshots at a provider, with its driver. They cannot leave it. */
export interface SnapshotPlace {
  cloud: string;
  region: string;
  /** The account of a customer. Null: the operator's own. */
  account: string | null;
  driver: string | null;
}

/** A deployment with one of its backups, from which another deployment may be created. */
export interface BackupSource {
  deploymentId: DeploymentId;
  divisionId: DivisionId;
  environmentId: EnvironmentId;
  /** The Supervisor that stores the backup. */
  cell: string;
  /** GB per node. */
  storageSize: number;
  isDeleting: boolean;
  /** Null: there is no such backup, or its retention is over. */
  backupStatus: BackupStatus | null;
  isEncrypted: boolean;
  /** Where the snapshots of the nodes' disks are. Null: the data is in the object store of the Supervisor. */
  snapshots: SnapshotPlace | null;
  nodes: SourceNode[];
}

const FIND = statement(
  'backup_source.find',
  `select d.id as "deploymentId", d.division_id as "divisionId", d.environment_id as "environmentId", r.cell,
          d.storage_size as "storageSize", d.deletion_requested_at is not null as "isDeleting", b.status as "backupStatus",
          b.data_key_id is not null as "isEncrypted",
          case when exists (select from backup_snapshots s where s.backup_id = b.id and s.object_key is null)
            then jsonb_build_object('cloud', d.cloud, 'region', d.region, 'driver',
                   (select c.driver from cloud_resources c where c.deployment_id = d.id and c.kind = 'snapshot' limit 1), 'account',
                   (select a.account_id from deployment_accounts a where a.deployment_id = d.id)) end as snapshots,
          (select jsonb_agg(jsonb_build_object('name', n.name, 'ordinal', n.ordinal, 'driver', n.broker_driver, 'version', n.broker_version,
                    'covered', exists (select 1 from backup_snapshots s where s.backup_id = b.id and s.node_id = n.id)) order by n.ordinal)
             from nodes n where n.deployment_id = d.id) as nodes
     from deployments d
     join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
     left join backups b on b.deployment_id = d.id and b.id = $3 and b.expires_at > now()
    where d.tenant_id = $1 and d.id = $2`,
);

/** Backups as the source of new deployments. */
@Injectable()
export class BackupSourcesRepository {
  constructor(private readonly database: Database) {}

  /** Null for a deployment that is not of the tenant. */
  async find(tenantId: TenantId, deploymentId: DeploymentId, backupId: BackupId): Promise<BackupSource | null> {
    const [row] = await this.database.query<BackupSource>(FIND, [tenantId, deploymentId, backupId]);
    return row ? { ...row, nodes: row.nodes ?? [] } : null;
  }
}
