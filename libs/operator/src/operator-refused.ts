/** A refused command of an operator. The message is for the person: the problem, and the action to take. */
export class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused';
}

/** The row. @throws OperatorRefused without a row. `list`: the command that lists all rows. */
export function existing<Row>(row: Row | null | undefined, kind: string, key: string | number, list: string): Row {
  if (row) return row;
  throw new OperatorRefused(`There is no ${kind} ${key}. List all ${kind}s: ${list}`);
}
