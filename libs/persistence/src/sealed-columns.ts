/** A column of ciphertexts, and the data that is necessary to seal it again. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The primary key, with the types of its columns. */
  readonly key: readonly { readonly name: string; readonly type: 'bigint' | 'text' }[];
  /** SQL expression for the row that the ciphertext is bound to (`SecretLocation.row`), as text. */
  readonly row: string;
}

const byId = (name: string) => [{ name, type: 'bigint' }] as const;

/**
 * Every column that stores output of `Secrets.seal`. `landlord rekey` processes this list. The type `SecretLocation` is derived
 * from it, so code cannot seal a column that is not in the list. Therefore `rekey` cannot miss a column.
 */
export const SEALED_COLUMNS = [
  { table: 'deployment_runtimes', column: 'peer_secret', key: byId('deployment_id'), row: 'deployment_id::text' },
  { table: 'deployment_credentials', column: 'password', key: byId('deployment_id'), row: 'deployment_id::text' },
  { table: 'deployment_credentials', column: 'next_password', key: byId('deployment_id'), row: 'deployment_id::text' },
  {
    table: 'deployment_credentials',
    column: 'previous_password',
    key: byId('deployment_id'),
    row: 'deployment_id::text',
  },
  // Null for a deployment without encryption.
  { table: 'deployment_runtimes', column: 'data_key', key: byId('deployment_id'), row: 'deployment_id::text' },
  {
    table: 'configs',
    column: 'config_values',
    key: byId('id'),
    row: `deployment_id || '/' || kind || '/' || name || '/' || version`,
  },
  { table: 'deployment_accounts', column: 'access', key: byId('deployment_id'), row: 'deployment_id::text' },
  { table: 'certificate_authorities', column: 'private_key', key: byId('id'), row: 'serial' },
  // Null when the key is no longer shown.
  { table: 'deployment_certificates', column: 'private_key', key: byId('id'), row: 'serial' },
  { table: 'nodes', column: 'bootstrap_token', key: byId('id'), row: 'id::text' },
  // Null when the machine has joined.
  { table: 'machine_reservations', column: 'secret', key: [{ name: 'name', type: 'text' }], row: 'name' },
  { table: 'node_documents', column: 'spec', key: byId('node_id'), row: 'node_id::text' },
  // May contain a code or a link. Empty after the mail was sent.
  { table: 'mails', column: 'body', key: byId('id'), row: 'message_id' },
  { table: 'mails', column: 'html', key: byId('id'), row: 'message_id' },
  { table: 'notification_channels', column: 'destination', key: byId('id'), row: 'id::text' },
  { table: 'notification_channels', column: 'settings', key: byId('id'), row: 'id::text' },
  { table: 'notification_channels', column: 'secret', key: byId('id'), row: 'id::text' },
  { table: 'notification_channels', column: 'previous_secret', key: byId('id'), row: 'id::text' },
  { table: 'cloud_accounts', column: 'settings', key: byId('id'), row: 'id::text' },
  // These rows expire after ten minutes. `rekey` seals them again nevertheless, so that the operator can remove the old key as
  // soon as `rekey` ends. Otherwise a repeated request within ten minutes would find a stored answer that does not open.
  {
    table: 'idempotency_records',
    column: 'answer',
    key: [
      { name: 'caller', type: 'text' },
      { name: 'key', type: 'text' },
    ],
    row: `caller || ':' || key`,
  },
] as const satisfies readonly SealedColumn[];

type LocationIn<Column> = Column extends { table: infer Table; column: infer Name }
  ? { table: Table; column: Name; row: string | number }
  : never;

/** The cell of a table that a ciphertext belongs to. The ciphertext does not open in another cell. */
export type SecretLocation = LocationIn<(typeof SEALED_COLUMNS)[number]>;
