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
