import { TIERS, type Catalog, type ClusterKind, type RegionData, type Shape, type StorageType } from '@libs/catalog';
import { DomainError, validationFailed, type FieldIssue } from '@libs/domain';
import { eachPathOnce } from '@libs/http';
import type { ShapeDto } from '../dto/shape.dto.js';

/** GB of Network Drive per node when the request has no storage. */
const DEFAULT_STORAGE_GB = 100;

/** The code of issues about the features of a tier, in contrast to issues about the form of the request. */
const TIER_FEATURE = 'tier_feature_unsupported';

/** A shape with all defaults, and all its faults. */
export interface ValidatedShape {
  shape: Shape;
  issues: FieldIssue[];
}

/** The required members of a shape. The others have defaults. */
type ShapeMembers = Pick<ShapeDto, 'cloud' | 'region' | 'tier' | 'storage'> & Partial<ShapeDto>;

/** Adds the defaults of the contract and returns every fault (C-12.5, C-12.6). */
export function validateShape(catalog: Catalog, dto: ShapeDto, cluster?: ClusterKind): ValidatedShape {
  const shape = completeShape(catalog, dto, cluster);
  return { shape, issues: [...shapeIssues(catalog, shape), ...termsIssues(shape), ...storageIssues(shape, dto)] };
}

/** Returns the shape with all defaults of the contract. */
export function completeShape(catalog: Catalog, dto: ShapeMembers, cluster?: ClusterKind): Shape {
  const storageType = dto.storage?.type ?? 'network_balanced';
  return {
    cloud: dto.cloud,
    region: dto.region,
    tier: dto.tier,
    cluster: cluster ?? (dto.tier === 'free' ? 'standalone' : 'cluster'),
    managedTier: dto.managed_tier ?? null,
    storage: { type: storageType, size: storageSize(catalog, dto, storageType) },
    targetNetworkTput: dto.target_network_tput ?? catalog.tier(dto.tier).default_throughput_kbps,
    networkScope: dto.network_scope ?? 'same_region',
    availabilityMode: dto.availability_mode ?? 'single_az',
  };
}

/** Returns the parts of the shape that its region does not offer. */
export function shapeIssues(catalog: Catalog, shape: Shape): FieldIssue[] {
  const region = catalog.findRegion(shape.cloud, shape.region);
  const unknown = region ? [] : [issue('/region', 'unknown_region', `is not a region of ${shape.cloud}`)];
  return [...unknown, ...offerIssues(catalog, shape, region)];
}

/**
 * Throws the found faults: `tier_feature_unsupported` if there are no others, else `validation_failed`.
 * @throws DomainError
 */
export function requireNoIssues(issues: readonly FieldIssue[]): void {
  const once = eachPathOnce(issues);
  const [first] = once;
  if (!first) return;
  if (once.some(({ code }) => code !== TIER_FEATURE)) throw validationFailed(once);
  throw new DomainError('tier_feature_unsupported', `${first.path}: ${first.reason}`, { fieldIssues: once });
}

export const issue = (path: string, code: string, reason: string): FieldIssue => ({ path, code, reason });

export const tierIssue = (path: string, reason: string): FieldIssue => issue(path, TIER_FEATURE, reason);

function storageSize(catalog: Catalog, dto: ShapeMembers, type: StorageType): number {
  return type === 'local_ssd'
    ? catalog.tier(dto.tier).local_ssd_gb || DEFAULT_STORAGE_GB
    : (dto.storage?.size ?? DEFAULT_STORAGE_GB);
}

/** Limits of the compute size are reported without a region. Limits of a region are reported only for a known region. */
function offerIssues(catalog: Catalog, shape: Shape, region: RegionData | null): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const { clusters, storages } = catalog.tier(shape.tier);
  const where = region?.key ?? 'any region';
  if (region && !catalog.isTierOffered(region, shape.tier))
    issues.push(tierIssue('/tier', `is not offered in ${where}`));
  if (!clusters.includes(shape.cluster))
    issues.push(tierIssue('/cluster', `must be ${clusters.join(' or ')} for tier ${shape.tier}`));
  const hasStorage = !region || catalog.isStorageOffered(region, shape.storage.type);
  if (!storages.includes(shape.storage.type) || !hasStorage)
    issues.push(tierIssue('/storage/type', `is not offered for tier ${shape.tier} in ${where}`));
  return issues;
}

function termsIssues({ tier, managedTier, availabilityMode }: Shape): FieldIssue[] {
  const issues: FieldIssue[] = [];
  if (tier !== TIERS[0] && managedTier === null)
    issues.push(issue('/managed_tier', 'required', 'is required for a paid deployment'));
  if (tier === TIERS[0] && managedTier !== null)
    issues.push(tierIssue('/managed_tier', 'must be left out for tier free'));
  if (availabilityMode === 'multi_az' && managedTier !== 'enterprise')
    issues.push(tierIssue('/availability_mode', 'multi_az needs managed_tier enterprise'));
  return issues;
}

function storageIssues({ storage, managedTier }: Shape, dto: ShapeDto): FieldIssue[] {
  if (storage.type !== 'local_ssd') return [];
  const hasTerms = managedTier === 'performance' || managedTier === 'enterprise';
  const reason = 'local_ssd needs managed_tier performance or enterprise';
  return [...(hasTerms ? [] : [tierIssue('/storage/type', reason)]), ...localSizeIssues(dto)];
}

/** The node defines the size of local NVMe. */
export const localSizeIssues = ({ storage }: Pick<ShapeDto, 'storage'>): FieldIssue[] =>
  storage?.type === 'local_ssd' && storage.size !== undefined
    ? [tierIssue('/storage/size', 'follows the compute size for local_ssd and must be left out')]
    : [];
