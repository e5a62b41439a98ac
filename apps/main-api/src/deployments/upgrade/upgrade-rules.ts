import { MANAGED_TIERS, quote, TIERS, type Catalog, type Quote, type Shape, type Tier } from '@libs/catalog';
import { DomainError, validationFailed, type FieldIssue } from '@libs/domain';
import type { DeploymentRow } from '@libs/persistence/organization';
import type { UpgradeDto } from '../dto/upgrade.dto.js';
import { issue, requireNoIssues, shapeIssues, tierIssue } from '../create/shape-rules.js';

/** The result of an upgrade. An upgrade never changes the number of nodes. */
export interface UpgradePlan {
  from: Shape;
  to: Shape;
  /** False: only terms and telemetry retention change, and no node changes. */
  isHardware: boolean;
  /** The price of the new shape. The price of the old shape is in the row. */
  quote: Quote;
}

/** Returns the current shape of a deployment. */
export const shapeOf = (row: DeploymentRow): Shape => ({
  cloud: row.cloud as Shape['cloud'],
  region: row.region,
  tier: row.tier as Tier,
  cluster: row.cluster as Shape['cluster'],
  managedTier: row.managed_tier as Shape['managedTier'],
  storage: { type: row.storage_type as Shape['storage']['type'], size: row.storage_size },
  targetNetworkTput: row.target_network_tput,
  networkScope: row.network_scope as Shape['networkScope'],
  availabilityMode: row.availability_mode as Shape['availabilityMode'],
});

/**
 * Returns the plan of an upgrade request (C-12.13): a larger compute size, larger Network Drive storage, a higher
 * managed tier, or several of them. Omitted members are unchanged.
 * @throws DomainError validation_failed, downgrade_not_allowed, storage_cannot_shrink, tier_feature_unsupported
 */
export function planUpgrade(catalog: Catalog, row: DeploymentRow, dto: UpgradeDto): UpgradePlan {
  // For Free deployments of every variant: they are standalone, and paid deployments are clusters.
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
  return { from, to, isHardware, quote: quote(catalog, to, row.nodes_count) };
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

/** Returns the conflicts of the request with the deployment. */
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

/** The kept parts were offered at creation and stay. Only new parts must be offered now. */
function offered(catalog: Catalog, from: Shape, to: Shape): FieldIssue[] {
  if (to.tier === from.tier) return [];
  return shapeIssues(catalog, to).filter(({ path }) => path === '/tier' || path === '/region');
}
