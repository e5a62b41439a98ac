import { findGrant, type Permission } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import type { ChannelOwner } from '@libs/persistence/channels';

/** Every path of channels exists twice with identical shapes: for the tenant and for each division (C-24.3). */
export const CHANNELS = ['tenants/:tenant_id/channels', 'tenants/:tenant_id/divisions/:division_id/channels'];

/** The paths of one channel. */
export const A_CHANNEL = CHANNELS.map((path) => `${path}/:channel_id`);

/** The description of a channel in the path, below its owner. */
export const CHANNEL_ID = { channel_id: 'A channel of the tenant, or of the division.' };

/** Returns the owner of the channels in the path. The channels of a tenant do not include those of its divisions. */
export const ownerOf = ({ tenantId, ancestry }: ActingCaller): ChannelOwner => ({
  tenantId,
  divisionId: ancestry.division?.id ?? null,
});

/** Whether the caller has the permission for the channels of the path. */
export function holds({ caller, ancestry }: ActingCaller, permission: Permission): boolean {
  const scope = ancestry.division ? { divisionId: ancestry.division.id } : {};
  return findGrant(caller.holding, permission, scope) !== null;
}
