/** Returns the changed members of an update and their previous values. Members that are absent or equal are not changes; null is a value. */
export function changesOf<T extends object>(
  current: T,
  asked: Partial<T>,
): { changes: Partial<T>; previous: Partial<T> } {
  const names = (Object.keys(asked) as (keyof T)[]).filter(
    (name) => asked[name] !== undefined && asked[name] !== current[name],
  );
  const pick = (from: Partial<T>): Partial<T> =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
  return { changes: pick(asked), previous: pick(current) };
}
