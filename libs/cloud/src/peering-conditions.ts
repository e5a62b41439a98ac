import { overlap } from '@libs/domain';
import { CloudError } from './cloud-error.js';
import type { ResourceState } from './cloud-provider.js';
import type { VpcPeeringStatus } from './resource-attributes.js';

/** What the status of a peering means for its resource. `failure`: the reason of the status `failed`, which each driver knows. */
export const peeringConditions = (
  failure: string,
): Record<VpcPeeringStatus, { state: ResourceState; reason?: string }> => ({
  initiating_request: { state: 'pending' },
  pending_acceptance: { state: 'pending', reason: 'the other side has not accepted the connection yet' },
  provisioning: { state: 'pending' },
  active: { state: 'active' },
  rejected: { state: 'failed', reason: 'the other side rejected the connection' },
  expired: { state: 'failed', reason: 'the other side did not accept the connection within seven days' },
  failed: { state: 'failed', reason: failure },
  deleting: { state: 'deleting' },
  deleted: { state: 'deleting' },
});

/** @throws CloudError `invalid` when the network is shared, or its range overlaps that of the other side */
export function requireFree(
  network: { isShared: boolean; range: string | null },
  { network: name, peer_cidr }: { network: string; peer_cidr: string },
): void {
  if (network.isShared)
    throw new CloudError(
      { code: 'invalid' },
      'the deployment shares its network with others, because it was created without peerings: create another one',
    );
  const { range } = network;
  if (range !== null && overlap(range, peer_cidr))
    throw new CloudError({ code: 'invalid' }, `${peer_cidr} overlaps the range ${range} of the network ${name}`);
}
