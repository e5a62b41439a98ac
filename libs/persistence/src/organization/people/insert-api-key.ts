/** The statements that create a key. The first boot uses them on its own connection, and operator commands use them. */
export const NEXT_API_KEY_ID = `select nextval(pg_get_serial_sequence('api_keys', 'id')) as id`;

/** Values: id, tenant, name, hash of the secret, role, user, days until the key expires. The id is part of the secret. */
export const INSERT_API_KEY = `insert into api_keys (id, tenant_id, name, secret_hash, role_id, user_id, expiry_at) overriding system value
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7))`;
