/**
 * Classes of SQLSTATE that say: a value of this statement cannot be stored, however often it is tried. 21 cardinality,
 * 22 data exception, 23 integrity constraint, 54 program limit. Everything else (no connection, a deadlock, a full disk)
 * is no word about the values.
 */
const DATA_FAULTS = ['21', '22', '23', '54'];

/** Whether a write failed for what it was to store, and not for the state of the database. */
export function isDataFault(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.length === 5 && DATA_FAULTS.includes(code.slice(0, 2));
}
