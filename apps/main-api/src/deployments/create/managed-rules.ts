import { quote, type Catalog, type Entitlements, type Quote, type Shape, requireFeature } from '@libs/catalog';
import {
  DomainError,
  type BackupId,
  type CloudAccountId,
  type DeploymentId,
  type FeatureFlag,
  type FieldIssue,
} from '@libs/domain';
import type { CreateManagedDto } from '../dto/create-managed.dto.js';
import { issue, validateShape, requireNoIssues, tierIssue, type ValidatedShape } from './shape-rules.js';

/** This issue has its own error code when it is the only one. */
const ABOVE_MAXIMUM = 'retention_above_maximum';

/** The backup that a new deployment starts with. */
export interface RestoreFrom {
  deploymentId: DeploymentId;
  backupId: BackupId;
}

/** A complete request that is valid in itself. Limits and names are checked with the lock. */
export interface DeploymentRequest {
  name: string;
  description: string | null;
  variant: 'managed' | 'byoc' | 'starter';
  area: string;
  shape: Shape;
  quote: Quote;
  isProtected: boolean;
  isEncrypted: boolean;
  hasPublicIp: boolean;
  hasSubdomain: boolean;
  isDedicated: boolean;
  telemetryDays: number;
  isTelemetryExplicit: boolean;
  spendLimit: number | null;
  /** The saved cloud account of the deployment; null for none. */
  cloudAccountId: CloudAccountId | null;
  /** The backup that the deployment starts with. Null: the deployment starts empty. */
  restoreFrom: RestoreFrom | null;
}

/** @throws DomainError validation_failed, tier_feature_unsupported, retention_above_maximum */
export function toManagedRequest(catalog: Catalog, dto: CreateManagedDto): DeploymentRequest {
  const { shape, issues } = validateManaged(catalog, dto);
  const maximum = catalog.telemetryDays(shape.managedTier);
  const days = dto.retention?.telemetry_days;
  const hasPublicIp = dto.public_ip_enabled ?? true;
  if (issues.length > 0 && issues.every(({ code }) => code === ABOVE_MAXIMUM)) throw retentionAboveMaximum(maximum);
  requireNoIssues(issues);
  return {
    ...plainRequest(catalog, shape, { name: dto.name, variant: 'managed' }),
    description: dto.description ?? null,
    isProtected: dto.protected ?? false,
    isEncrypted: dto.encrypted ?? false,
    hasPublicIp,
    hasSubdomain: dto.subdomain_enabled ?? hasPublicIp,
    isDedicated: dto.dedicated ?? false,
    telemetryDays: days ?? maximum,
    isTelemetryExplicit: days !== undefined,
    spendLimit: dto.spend_limit ?? null,
    restoreFrom: toRestoreFrom(dto),
  };
}

const toRestoreFrom = ({ restore_from: from }: CreateManagedDto): RestoreFrom | null =>
  from ? { deploymentId: from.deployment_id, backupId: from.backup_id } : null;

/** Returns the request of a shape without any option. Its telemetry has the retention without terms (decision 0024). */
export function plainRequest(
  catalog: Catalog,
  shape: Shape,
  { name, variant }: Pick<DeploymentRequest, 'name' | 'variant'>,
): DeploymentRequest {
  return {
    name,
    description: null,
    variant,
    area: areaOf(catalog, shape),
    shape,
    quote: quote(catalog, shape),
    isProtected: false,
    isEncrypted: false,
    hasPublicIp: true,
    hasSubdomain: true,
    isDedicated: false,
    telemetryDays: catalog.telemetryDays(null),
    isTelemetryExplicit: false,
    spendLimit: null,
    cloudAccountId: null,
    restoreFrom: null,
  };
}

/** Returns the area of the shape's region. */
export const areaOf = (catalog: Catalog, { cloud, region }: Shape): string =>
  catalog.findRegion(cloud, region)?.area ?? '';

/** Checks the features of the plan that the request needs. @throws DomainError plan_feature_required */
export function requireEntitled(
  entitlements: Entitlements,
  { shape, isEncrypted, isDedicated }: DeploymentRequest,
): void {
  for (const flag of requiredFlags({ shape, isEncrypted, isDedicated })) requireFeature(entitlements, flag);
  requireEnterpriseTerms(entitlements, shape);
}

/** The features of the plan that the request needs. */
export function requiredFlags({
  shape,
  isEncrypted,
  isDedicated,
}: Pick<DeploymentRequest, 'shape' | 'isEncrypted' | 'isDedicated'>): FeatureFlag[] {
  const needs: [FeatureFlag, boolean][] = [
    ['cluster_enabled', shape.cluster === 'cluster'],
    ['multi_az_enabled', shape.availabilityMode === 'multi_az'],
    ['customer_managed_keys_enabled', isEncrypted],
    ['dedicated_enabled', isDedicated],
  ];
  return needs.filter(([, isNeeded]) => isNeeded).map(([flag]) => flag);
}

/** @throws DomainError plan_feature_required */
export function requireEnterpriseTerms(entitlements: Entitlements, { managedTier }: Shape): void {
  if (managedTier !== 'enterprise' || entitlements.hasEnterpriseTerms) return;
  throw new DomainError('plan_feature_required', 'Managed tier enterprise needs the Enterprise plan or an approval.', {
    members: { feature: 'managed_tier_enterprise' },
  });
}

/** Returns the shape of a well-formed request, and every fault of the request. */
export function validateManaged(catalog: Catalog, dto: CreateManagedDto): ValidatedShape {
  const { shape, issues } = validateShape(catalog, dto, dto.cluster);
  const maximum = catalog.telemetryDays(shape.managedTier);
  if (dto.subdomain_enabled === true && dto.public_ip_enabled === false)
    issues.push(issue('/subdomain_enabled', 'needs_public_ip', 'needs a public IP'));
  if (dto.dedicated === true && dto.tier === 'free')
    issues.push(tierIssue('/dedicated', 'is not offered for tier free'));
  if ((dto.retention?.telemetry_days ?? 0) > maximum) issues.push(retentionIssue(maximum));
  return { shape, issues };
}

/** Returns the error for more days than the terms include. */
export const retentionAboveMaximum = (maximum: number): DomainError =>
  new DomainError('retention_above_maximum', `The managed tier keeps telemetry for at most ${maximum} days.`, {
    fieldIssues: [retentionIssue(maximum)],
    members: { limit: maximum },
  });

const retentionIssue = (maximum: number): FieldIssue =>
  issue('/retention/telemetry_days', ABOVE_MAXIMUM, `must be at most ${maximum}`);
