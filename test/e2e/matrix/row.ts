import type { SignedIn, World } from './world.js';

/** Ids of a path, by the names of its parameters. */
export type PathIds = Record<string, number | string>;

/** How one route is called well, and what differs from what its declaration alone tells. */
export interface Row {
  /** Status of the answer to who may. */
  status: number;
  /** What the path names below the first division and environment; fresh for each call, which may use it up. */
  path?: (world: World, who: SignedIn | null) => Promise<PathIds>;
  query?: string | ((world: World, ids: PathIds) => Promise<string>);
  body?: (world: World, ids: PathIds, who: SignedIn | null) => object | Promise<object>;
  /** Who may, on a route of sessions only: a user without an organization, or the owner of the first. */
  as?: 'user' | 'owner';
  /** Permission that the service asks for where the route itself takes any key. */
  judges?: string;
  /** Status for a key with every permission in another division, where its path does not tell. */
  otherDivision?: number;
}
