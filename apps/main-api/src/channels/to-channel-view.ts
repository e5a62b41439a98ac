import type { Channel, ChannelChanges, ChannelItem } from '@libs/persistence/channels';
import { maskedDestination, maskedSettings } from './channel-masks.js';
import type { ChannelItemView, ChannelView } from './dto/channel.view.js';

export const toItemView = (channel: ChannelItem): ChannelItemView => ({
  id: channel.id,
  owner_kind: channel.divisionId === null ? 'tenant' : 'division',
  owner_id: channel.divisionId ?? channel.tenantId,
  channel: channel.channel,
  name: channel.name,
  enabled: channel.enabled,
  created_at: channel.createdAt.toISOString(),
  updated_at: channel.updatedAt.toISOString(),
});

export const toView = (channel: Channel): ChannelView => ({
  ...toItemView(channel),
  destination: channel.destination,
  confirmed: channel.isConfirmed,
  settings: maskedSettings(channel.settings),
  remarks: channel.remarks,
});

/** Returns the channel for callers who may read channels but not change them. */
export const toReaderView = (channel: Channel): ChannelView => ({
  ...toView(channel),
  destination: maskedDestination(channel),
});

/**
 * Returns the data of a channel for the audit record. Without destination and settings: with them a reader could send
 * to the destination.
 */
export const auditData = ({ channel, name }: Pick<Channel, 'channel' | 'name'>): object => ({ channel, name });

/** Returns the changes and the previous values. For destination and settings only that they changed. */
export function changedData(before: Channel, { destination, settings, ...changes }: ChannelChanges): object {
  const previous = Object.fromEntries(Object.keys(changes).map((name) => [name, before[name as keyof Channel]]));
  return {
    ...changes,
    ...(destination !== undefined && { destination_changed: true }),
    ...(settings !== undefined && { settings_changed: true }),
    previous,
  };
}
