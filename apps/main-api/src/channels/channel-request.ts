import { isDeepStrictEqual } from 'node:util';
import { DomainError, type FieldIssue } from '@libs/domain';
import type { Channel, ChannelChanges } from '@libs/persistence/channels';
import { isMasked, keepsHeaders, maskedDestination, originOf, withKeptHeaders } from './channel-masks.js';
import type { UpdateChannelDto } from './dto/update-channel.dto.js';

/** Settings as plain JSON, without the classes of the request. */
export const recordOf = (settings: object | null): Record<string, unknown> | null =>
  settings && (JSON.parse(JSON.stringify(settings)) as Record<string, unknown>);

/** Whether the request names another destination than the stored one, or than its mask. */
export const isOtherDestination = (channel: Channel, destination: string): boolean =>
  destination !== channel.destination && destination !== maskedDestination(channel);

/**
 * What the request changes, masks replaced by what is stored. Null clears settings and remarks; only what is left out stays.
 * @throws DomainError secret_required
 */
export function changesTo(channel: Channel, dto: UpdateChannelDto): { changes: ChannelChanges; issues: FieldIssue[] } {
  const isMoved = dto.destination !== undefined && isOtherDestination(channel, dto.destination);
  if (isMoved) requireOwnSecrets(channel, dto);
  const { settings, issues } = withKeptHeaders(recordOf(dto.settings ?? null), channel.settings);
  const asked = {
    name: dto.name,
    destination: isMoved ? dto.destination : undefined,
    settings: dto.settings === undefined ? undefined : settings,
    enabled: dto.enabled,
    remarks: dto.remarks,
  };
  const entries = Object.entries(asked) as [keyof typeof asked, unknown][];
  const changes = Object.fromEntries(
    entries.filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, channel[name])),
  );
  return { changes, issues };
}

/** Who never saw the stored values could otherwise have them sent to a destination of their own. @throws DomainError secret_required */
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
