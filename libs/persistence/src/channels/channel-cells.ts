import type { SecretLocation } from '../sealed-columns.js';

/** The sealed columns of a channel. The repositories open each other's ciphertexts, so they share this table. */
export const CHANNEL_CELLS = {
  destination: (row: number): SecretLocation => ({ table: 'notification_channels', column: 'destination', row }),
  settings: (row: number): SecretLocation => ({ table: 'notification_channels', column: 'settings', row }),
  secret: (row: number): SecretLocation => ({ table: 'notification_channels', column: 'secret', row }),
  previous_secret: (row: number): SecretLocation => ({
    table: 'notification_channels',
    column: 'previous_secret',
    row,
  }),
} as const;
