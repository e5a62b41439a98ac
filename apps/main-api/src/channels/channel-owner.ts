import { applyDecorators } from '@nestjs/common';
import { findGrant, type Permission } from '@libs/domain';
import { FailsWith, idParameter, InDivision, type ActingCaller } from '@libs/http';
import type { ChannelOwner } from '@libs/persistence/channels';

/** Every path of channels exists twice, of the tenant and of each division, with identical shapes (C-24.3). */
export const CHANNELS = ['tenants/:tenant_id/channels', 'tenants/:tenant_id/divisions/:division_id/channels'];

/** Below one channel. */
export const A_CHANNEL = CHANNELS.map((path) => `${path}/:channel_id`);

/** Documents a channel in the path, below its owner. */
export const OfChannel = (): MethodDecorator =>
  applyDecorators(
    InDivision(),
    idParameter('channel_id', 'A channel of the tenant, or of the division.'),
    FailsWith('channel_not_found'),
  );

/** Whose channels the path names: those of a tenant are not those of its divisions. */
export const ownerOf = ({ tenantId, ancestry }: ActingCaller): ChannelOwner => ({
  tenantId,
  divisionId: ancestry.division?.id ?? null,
});

/** Whether the caller has the permission for the channels that the path names. */
export function holds({ caller, ancestry }: ActingCaller, permission: Permission): boolean {
  const place = ancestry.division ? { divisionId: ancestry.division.id } : {};
  return findGrant(caller.holding, permission, place) !== null;
}

/** Where the channels of an owner are. */
export const pathOf = ({ tenantId, divisionId }: ChannelOwner): string =>
  `/tenants/${tenantId}${divisionId === null ? '' : `/divisions/${divisionId}`}/channels`;
