/**
 * SQLSTATE classes of errors that a retry cannot fix, because the database cannot store a value of the statement. 21
 * cardinality, 22 data exception, 23 integrity constraint, 54 program limit. All other errors (no connection, a deadlock, a
 * full disk) have causes outside the values.
 */
const DATA_FAULTS = ['21', '22', '23', '54'];

/** Whether a write failed because of its values, and not because of the state of the database. */
export function isDataFault(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.length === 5 && DATA_FAULTS.includes(code.slice(0, 2));
}
