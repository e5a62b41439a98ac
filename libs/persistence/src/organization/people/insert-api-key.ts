/** The statements that make a key, for the two who make one: the first boot, on a connection of its own, and operators. */
export const NEXT_API_KEY_ID = `select nextval(pg_get_serial_sequence('api_keys', 'id')) as id`;

/** Values: id, tenant, name, hash of the secret, role, user, days until it expires. The id is part of the secret. */
export const INSERT_API_KEY = `insert into api_keys (id, tenant_id, name, secret_hash, role_id, user_id, expiry_at) overriding system value
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7))`;
