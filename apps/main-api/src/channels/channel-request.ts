import { isDeepStrictEqual } from 'node:util';
import { DomainError, type FieldIssue } from '@libs/domain';
import type { Channel, ChannelChanges } from '@libs/persistence/channels';
import { isMasked, keepsHeaders, maskedDestination, originOf, withKeptHeaders } from './channel-masks.js';
import type { UpdateChannelDto } from './dto/update-channel.dto.js';

/** Converts settings to plain JSON, without the classes of the request. */
export const recordOf = (settings: object | null): Record<string, unknown> | null =>
  settings && (JSON.parse(JSON.stringify(settings)) as Record<string, unknown>);

/** Whether the request contains another destination than the stored one or its mask. */
export const isOtherDestination = (channel: Channel, destination: string): boolean =>
  destination !== channel.destination && destination !== maskedDestination(channel);

/**
 * Returns the changes of the request, with stored values instead of masks. Null clears settings and remarks; an omitted
 * member is unchanged.
 * @throws DomainError secret_required
 */
export function changesTo(channel: Channel, dto: UpdateChannelDto): { changes: ChannelChanges; issues: FieldIssue[] } {
  const isMoved = dto.destination !== undefined && isOtherDestination(channel, dto.destination);
  if (isMoved) requireOwnSecrets(channel, dto);
  const { settings, issues } = withKeptHeaders(recordOf(dto.settings ?? null), channel.settings);
  const request = {
    name: dto.name,
    destination: isMoved ? dto.destination : undefined,
    settings: dto.settings === undefined ? undefined : settings,
    enabled: dto.enabled,
    remarks: dto.remarks,
  };
  const entries = Object.entries(request) as [keyof typeof request, unknown][];
  const changes = Object.fromEntries(
    entries.filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, channel[name])),
  );
  return { changes, issues };
}

/**
 * Otherwise a caller who never saw the stored values could send them to its own destination.
 * @throws DomainError secret_required
 */
function requireOwnSecrets(channel: Channel, { destination = '', settings }: UpdateChannelDto): void {
  const isElsewhere = originOf({ channel: channel.channel, destination }) !== originOf(channel);
  const isSecretKept =
    isMasked(destination) ||
    (isElsewhere && keepsHeaders(settings === undefined ? undefined : recordOf(settings), channel.settings));
  if (isSecretKept)
    throw new DomainError(
      'secret_required',
      'The destination has another scheme, host or port. Send the masked values again, or clear them.',
    );
}
