import type { SecretPlace } from '../sealed-columns.js';

/** What is sealed of a channel, by column; both repositories open what the other one has sealed. */
export const CHANNEL_CELLS = {
  destination: (row: number): SecretPlace => ({ table: 'notification_channels', column: 'destination', row }),
  settings: (row: number): SecretPlace => ({ table: 'notification_channels', column: 'settings', row }),
  secret: (row: number): SecretPlace => ({ table: 'notification_channels', column: 'secret', row }),
  previous_secret: (row: number): SecretPlace => ({ table: 'notification_channels', column: 'previous_secret', row }),
} as const;
