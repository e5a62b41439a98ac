import { requireFeature, type Entitlements } from '@libs/catalog';
import { DomainError, type LimitName } from '@libs/domain';
import type { DeploymentFacts, PrivateConnectionKind } from '@libs/persistence/runtime';
import { PEERED_TIERS } from '../lifecycle/index.js';

interface KindSpec {
  /** The name for people. */
  title: string;
  cloud: 'aws' | 'gcp';
  /** Managed tiers that include it (C-22.1). */
  terms: readonly string[];
  /** The limit of the plan, and the kinds that count against it. */
  limit: LimitName;
  counted: readonly PrivateConnectionKind[];
  /** The status before the first report of the provider. */
  firstStatus: string;
  /** The status from the request for deletion until the resource is removed. */
  endStatus: string;
}

const PEERINGS: readonly PrivateConnectionKind[] = ['vpc_peering', 'network_peering'];
const ENDPOINTS: readonly PrivateConnectionKind[] = ['endpoint_service', 'service_attachment'];
const PEERING = {
  terms: PEERED_TIERS,
  limit: 'private_connections_limit',
  counted: PEERINGS,
} as const;
const ENDPOINT = { terms: ['enterprise'], limit: 'private_endpoints_limit', counted: ENDPOINTS } as const;

/** The four kinds of private connections (C-22.1, C-22.12). */
export const PRIVATE_NETWORKING: Record<PrivateConnectionKind, KindSpec> = {
  vpc_peering: {
    ...{ title: 'VPC peering', cloud: 'aws', ...PEERING },
    ...{ firstStatus: 'initiating_request', endStatus: 'deleting' },
  },
  network_peering: {
    ...{ title: 'VPC peering', cloud: 'gcp', ...PEERING },
    ...{ firstStatus: 'inactive', endStatus: 'deleted' },
  },
  endpoint_service: {
    ...{ title: 'Private link', cloud: 'aws', ...ENDPOINT },
    ...{ firstStatus: 'pending', endStatus: 'deleting' },
  },
  service_attachment: {
    ...{ title: 'Private Service Connect', cloud: 'gcp', ...ENDPOINT },
    ...{ firstStatus: 'pending', endStatus: 'closed' },
  },
};

/** @throws DomainError private_networking_not_supported for the other cloud or a deployment that is not managed */
export function requireFitting({ cloud, variant }: DeploymentFacts, kind: PrivateConnectionKind): void {
  const requiredCloud = PRIVATE_NETWORKING[kind].cloud;
  if (variant === 'managed' && cloud === requiredCloud) return;
  const reason =
    variant === 'managed'
      ? `It is on ${cloud}; this is for ${requiredCloud}.`
      : `It is a ${variant} deployment, not managed.`;
  throw new DomainError('private_networking_not_supported', reason);
}

/** @throws DomainError plan_feature_required */
export function requireIncluded(
  entitlements: Entitlements,
  { managed_tier }: DeploymentFacts,
  kind: PrivateConnectionKind,
): void {
  requireFeature(entitlements, 'private_networking_enabled');
  const { title, terms } = PRIVATE_NETWORKING[kind];
  if (managed_tier !== null && terms.includes(managed_tier)) return;
  throw new DomainError(
    'plan_feature_required',
    `${title} needs the managed tier ${terms.join(' or ')}. This deployment has ${managed_tier ?? 'free'}.`,
    { members: { feature: 'managed_tier', wanted: terms } },
  );
}
