/**
 * The hash inputs of seals. The bytes depend only on the row: no time zone, no date style, no order of keys. Two different rows
 * never give the same bytes, because a JSON array separates its members and distinguishes null from the string "null". The
 * expressions are here and not in a function of the database. Otherwise a person who may change functions there could make
 * every seal look valid.
 */
const micros = (column: string): string => `(extract(epoch from ${column}) * 1000000)::bigint`;
const sha256Of = (members: readonly string[]): string =>
  `sha256(convert_to(json_build_array(${members.join(', ')})::text, 'UTF8'))`;

/** Hash of an entry `e`: every column. */
export const LEAF_HASH = sha256Of([
  ...['e.id', 'e.retention_class', micros('e.created_at'), 'e.tenant_id', 'e.type', 'e.author_id', 'e.author_name'],
  ...['e.api_key_id', 'e.api_key_name', 'e.user_id', 'e.user_name', 'e.division_id', 'e.division_name'],
  ...['e.environment_id', 'e.environment_name', 'e.deployment_id', 'e.deployment_name', 'e.data::text'],
  'e.correlation_id::text',
]);

/** Hash of the entries of a batch: their leaf hashes in the order of ids. An aggregate over `leaf` and `id`. */
export const ROOT_HASH = `sha256(coalesce(string_agg(leaf, ''::bytea order by id), ''::bytea))`;

/** Hash of a seal `s`: every column. Through `previous_hash` it covers all earlier seals. */
export const SEAL_HASH = sha256Of([
  ...['s.tenant_id', 's.sequence', 's.retention_class', `s.month - date '1970-01-01'`, micros('s.first_at')],
  ...[micros('s.last_at'), `array_to_string(s.entry_ids, ',')`, 's.count', `encode(s.root_hash, 'hex')`],
  ...[`encode(s.previous_hash, 'hex')`, micros('s.sealed_at')],
]);

/** The previous hash of the first seal of a tenant. */
export const NO_SEAL = `decode(repeat('00', 32), 'hex')`;
