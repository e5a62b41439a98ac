import { MANAGED_TIERS, quote, TIERS, type Catalog, type Quote, type Shape, type Tier } from '@libs/catalog';
import { DomainError, validationFailed, type FieldIssue } from '@libs/domain';
import type { DeploymentRow } from '@libs/persistence/organization';
import type { UpgradeDto } from '../dto/upgrade.dto.js';
import { issue, requireNoIssues, shapeIssues, tierIssue } from '../create/shape-rules.js';

/** What an upgrade makes of a deployment. The number of nodes never changes by it. */
export interface UpgradePlan {
  from: Shape;
  to: Shape;
  /** False: only terms and telemetry retention change, and no node is touched. */
  isHardware: boolean;
  /** Of the new shape; the old one costs what its row says. */
  quote: Quote;
}

/** The shape that a deployment has now. */
export const shapeOf = (row: DeploymentRow): Shape => ({
  cloud: row.cloud as Shape['cloud'],
  region: row.region,
  tier: row.tier as Tier,
  cluster: row.cluster as Shape['cluster'],
  managedTier: row.managedTier as Shape['managedTier'],
  storage: { type: row.storageType as Shape['storage']['type'], size: row.storageSize },
  targetNetworkTput: row.targetNetworkTput,
  networkScope: row.networkScope as Shape['networkScope'],
  availabilityMode: row.availabilityMode as Shape['availabilityMode'],
});

/**
 * What was asked for, if it is an upgrade (C-12.13): a larger compute size, larger Network Drive storage, a
 * higher managed tier, or several of them; whatever is left out stays.
 * @throws DomainError validation_failed, downgrade_not_allowed, storage_cannot_shrink, tier_feature_unsupported
 */
export function planUpgrade(catalog: Catalog, row: DeploymentRow, dto: UpgradeDto): UpgradePlan {
  // Free of any variant: it stands alone, and what is paid for is a cluster.
  if (row.tier === 'free')
    throw new DomainError(
      'tier_feature_unsupported',
      'A Free deployment cannot be upgraded. Create a paid deployment.',
      {
        fieldIssues: [tierIssue('/tier', 'cannot be changed for tier free')],
      },
    );
  const from = shapeOf(row);
  const to: Shape = {
    ...from,
    tier: dto.tier ?? from.tier,
    managedTier: dto.managed_tier ?? from.managedTier,
    storage: { type: from.storage.type, size: dto.storage?.size ?? from.storage.size },
  };
  requireUp(from, to);
  requireNoIssues([...askedIssues(row, from, to, dto), ...offered(catalog, from, to)]);
  const isHardware = to.tier !== from.tier || to.storage.size !== from.storage.size;
  if (!isHardware && to.managedTier === from.managedTier)
    throw validationFailed([issue('', 'no_change', 'must change the compute size, the storage or the managed tier')]);
  return { from, to, isHardware, quote: quote(catalog, to, row.nodesCount) };
}

function requireUp(from: Shape, to: Shape): void {
  const isSmaller = TIERS.indexOf(to.tier) < TIERS.indexOf(from.tier);
  const isLower = from.managedTier !== null && to.managedTier !== null && termsOf(to) < termsOf(from);
  if (isSmaller || isLower)
    throw new DomainError(
      'downgrade_not_allowed',
      'A deployment cannot become smaller. Ask the operator for a lower managed tier.',
      {
        fieldIssues: [
          ...(isSmaller ? [issue('/tier', 'downgrade', `is smaller than ${from.tier}`)] : []),
          ...(isLower ? [issue('/managed_tier', 'downgrade', `is lower than ${from.managedTier ?? ''}`)] : []),
        ],
      },
    );
  if (to.storage.size < from.storage.size)
    throw new DomainError('storage_cannot_shrink', 'Storage cannot shrink.', {
      fieldIssues: [issue('/storage/size', 'shrink', `is less than ${from.storage.size}`)],
    });
}

const termsOf = ({ managedTier }: Shape): number => (managedTier ? MANAGED_TIERS.indexOf(managedTier) : -1);

/** Of the request against what the deployment is. */
function askedIssues(row: DeploymentRow, from: Shape, to: Shape, dto: UpgradeDto): FieldIssue[] {
  const issues: FieldIssue[] = [];
  if (dto.storage?.type !== undefined && dto.storage.type !== from.storage.type)
    issues.push(issue('/storage/type', 'immutable', 'never changes by an upgrade'));
  if (from.storage.type === 'local_ssd' && to.tier !== from.tier)
    issues.push(tierIssue('/tier', 'cannot be changed on Local NVMe'));
  if (from.storage.type === 'local_ssd' && dto.storage?.size !== undefined)
    issues.push(tierIssue('/storage/size', 'cannot be changed on Local NVMe'));
  if (row.variant === 'byoc' && dto.managed_tier !== undefined)
    issues.push(issue('/managed_tier', 'not_managed', 'belongs to managed deployments'));
  return issues;
}

/** What is kept was offered once, and stays; only what is new has to be offered now. */
function offered(catalog: Catalog, from: Shape, to: Shape): FieldIssue[] {
  if (to.tier === from.tier) return [];
  return shapeIssues(catalog, to).filter(({ path }) => path === '/tier' || path === '/region');
}
