/** Returns the changed members of an update and their previous values. Members that are absent or equal are not changes; null is a value. */
export function changesOf<T extends object>(
  current: T,
  changes: Partial<T>,
): { changes: Partial<T>; previous: Partial<T> } {
  const names = (Object.keys(changes) as (keyof T)[]).filter(
    (name) => changes[name] !== undefined && changes[name] !== current[name],
  );
  const pick = (from: Partial<T>): Partial<T> =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
  return { changes: pick(changes), previous: pick(current) };
}
