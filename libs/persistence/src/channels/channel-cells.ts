import type { SecretPlace } from '../sealed-columns.js';

/** The sealed columns of a channel. The repositories open each other's ciphertexts, so they share this table. */
export const CHANNEL_CELLS = {
  destination: (row: number): SecretPlace => ({ table: 'notification_channels', column: 'destination', row }),
  settings: (row: number): SecretPlace => ({ table: 'notification_channels', column: 'settings', row }),
  secret: (row: number): SecretPlace => ({ table: 'notification_channels', column: 'secret', row }),
  previous_secret: (row: number): SecretPlace => ({ table: 'notification_channels', column: 'previous_secret', row }),
} as const;
