/** One value that differs: its keys joined by dots, and both values as JSON. Undefined: the value does not exist. */
export interface Change {
  key: string;
  from: string | undefined;
  to: string | undefined;
}

/** The values that differ, in the order of their keys. Lists are compared as a whole. */
export function changesOf(before: object, after: object): Change[] {
  const [from, to] = [flat(before), flat(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((key) => from.get(key) !== to.get(key))
    .sort()
    .map((key) => ({ key, from: from.get(key), to: to.get(key) }));
}

/** A value in each line: `-` before the change, `+` after it. */
export const shownChanges = (changes: readonly Change[]): string =>
  changes
    .flatMap(({ key, from, to }) => [
      ...(from === undefined ? [] : [`- ${key}: ${from}`]),
      ...(to === undefined ? [] : [`+ ${key}: ${to}`]),
    ])
    .join('\n');

function flat(values: object, prefix = ''): Map<string, string> {
  const entries = Object.entries(values).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const key = `${prefix}${name}`;
    const isInner =
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
    return isInner ? [...flat(value, `${key}.`)] : [[key, JSON.stringify(value)]];
  });
  return new Map(entries);
}
