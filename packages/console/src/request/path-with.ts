import type { PathIds } from './shape.js';

/** The path with the ids in the place of their names. A name without an id stays. */
export const pathWith = (path: string, ids: PathIds): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(ids[name] ?? `{${name}}`));
