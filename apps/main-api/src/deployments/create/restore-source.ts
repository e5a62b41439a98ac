import { Injectable } from '@nestjs/common';
import { FOREIGN_BACKUPS, releaseLine } from '@libs/broker-config';
import { requireFeature } from '@libs/catalog';
import { DomainError, findGrant } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import type { Cell } from '@libs/persistence/organization';
import {
  BackupSourcesRepository,
  type BackupSource,
  type SnapshotPlace,
  type SourceNode,
} from '@libs/persistence/runtime';
import type { TenantEntitlement } from '../../tenants/index.js';
import type { DeploymentRequest } from './managed-rules.js';

/** Finds the backup that a new deployment starts with, and checks whether the deployment can take its data (C-19.16 to C-19.18). */
@Injectable()
export class RestoreSource {
  constructor(private readonly sources: BackupSourcesRepository) {}

  /**
   * The caller needs `deployment:manage` at the deployment of the backup, too.
   * @throws DomainError plan_feature_required, deployment_not_found, insufficient_permissions, backup_not_found, state_conflict,
   *   storage_cannot_shrink, backup_not_compatible
   */
  async require(
    actor: ActingCaller,
    entitlements: TenantEntitlement,
    request: DeploymentRequest,
    cell: Cell,
  ): Promise<void> {
    if (request.restoreFrom === null) return;
    const { deploymentId, backupId } = request.restoreFrom;
    requireFeature(entitlements, 'backup_enabled');
    const source = await this.sources.find(actor.tenantId, deploymentId, backupId);
    if (!source || !may(actor, 'deployment:read', source))
      throw new DomainError('deployment_not_found', 'No such deployment in `restore_from`.');
    if (!may(actor, 'deployment:manage', source)) throw notManaged(actor, source);
    requireComplete(source);
    requireFitting(source, request, cell);
  }
}

const may = ({ caller }: ActingCaller, permission: 'deployment:read' | 'deployment:manage', source: BackupSource) =>
  findGrant(caller.holding, permission, { divisionId: source.divisionId, environmentId: source.environmentId }) !==
  null;

const notManaged = (actor: ActingCaller, { divisionId, environmentId }: BackupSource): DomainError =>
  new DomainError('insufficient_permissions', 'The caller lacks the permission deployment:manage for `restore_from`.', {
    members: {
      permission: 'deployment:manage',
      scope: { tenant_id: actor.tenantId, division_id: divisionId, environment_id: environmentId },
    },
  });

/** @throws DomainError backup_not_found, state_conflict */
function requireComplete({ backupStatus: status, isDeleting, nodes }: BackupSource): void {
  if (status === null) throw new DomainError('backup_not_found', 'No such backup in `restore_from`.');
  if (isDeleting) throw conflict('The deployment of the backup is being deleted.', 'deleting');
  if (status !== 'completed') throw conflict(`The backup is \`${status}\`.`, status);
  const missing = nodes.filter((node) => hasData(node) && !node.covered);
  if (missing.length === 0) return;
  throw conflict(`The backup lacks the data of ${missing.map(({ name }) => name).join(', ')}.`, 'partial');
}

/** @throws DomainError storage_cannot_shrink, backup_not_compatible */
function requireFitting(source: BackupSource, request: DeploymentRequest, cell: Cell): void {
  const { size } = request.shape.storage;
  if (size < source.storageSize)
    throw new DomainError('storage_cannot_shrink', `The backup needs ${source.storageSize} GB per node.`, {
      fieldIssues: [{ path: '/storage/size', code: 'too_small', reason: `must be at least ${source.storageSize}` }],
    });
  const misfit = misfitOf(source, request, cell);
  if (misfit) throw new DomainError('backup_not_compatible', misfit[1], { members: { reason: misfit[0] } });
}

/** What the new deployment must have in common with the backup, and a sentence. Null: the deployment takes the data. */
function misfitOf(source: BackupSource, request: DeploymentRequest, cell: Cell): [string, string] | null {
  const [first] = source.nodes;
  if (source.cell !== cell.cell) return ['region', 'Another Supervisor stores the backup. Choose its region.'];
  const elsewhere = source.snapshots && placeMisfit(source.snapshots, request, cell);
  if (elsewhere) return elsewhere;
  return first && isSameLine(first, cell)
    ? dataMisfit(source, first, request)
    : [
        'broker',
        `The backup is of another release line than ${cell.broker_driver} ${cell.broker_version} of the region.`,
      ];
}

/** Snapshots of disks become disks only in their own place. */
function placeMisfit(
  { cloud, region, account, driver }: SnapshotPlace,
  { shape }: DeploymentRequest,
  cell: Cell,
): [string, string] | null {
  if (cloud !== shape.cloud || region !== shape.region)
    return ['region', `The backup is a snapshot in the region ${region} of ${cloud}. Choose this region.`];
  if (account !== null)
    return ['account', 'The backup is a snapshot in the account of a customer, and cannot leave this account.'];
  return driver === cell.cloud_drivers[cloud]
    ? null
    : [
        'driver',
        `The backup is a snapshot of the driver ${driver}. The Supervisor now has another driver for ${cloud}.`,
      ];
}

const isSameLine = ({ driver, version }: SourceNode, cell: Cell): boolean =>
  driver === cell.broker_driver && releaseLine(version) === releaseLine(cell.broker_version);

function dataMisfit(
  { isEncrypted, nodes }: BackupSource,
  { driver }: SourceNode,
  request: DeploymentRequest,
): [string, string] | null {
  const takes = FOREIGN_BACKUPS[driver];
  if (isEncrypted && !request.isEncrypted)
    return ['encrypted', 'The backup is encrypted. Order the new deployment with `encrypted`.'];
  if (request.isEncrypted && !takes.resealed)
    return ['encrypted', `Data of ${driver} cannot be encrypted under another key.`];
  if (!takes.cluster && Math.max(nodes.length, request.quote.nodes) > 1)
    return ['nodes', `The nodes of a cluster of ${driver} take only data of their own cluster.`];
  return null;
}

/** In an embedded cluster only the first node stores data. */
const hasData = ({ driver, ordinal }: SourceNode): boolean => driver !== 'embedded' || ordinal === 1;

const conflict = (detail: string, state: string): DomainError =>
  new DomainError('state_conflict', detail, { members: { state } });
