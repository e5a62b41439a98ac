import type { SignedIn, World } from './world.js';

/** Ids of a path, by the names of its parameters. */
export type PathIds = Record<string, number | string>;

/** A valid call of one route, and expectations that its declaration does not contain. */
export interface Row {
  /** Status of the answer to a permitted caller. */
  status: number;
  /**
   * Resources of the path below the first division and environment. New for each call, because a call may consume them.
   */
  path?: (world: World, who: SignedIn | null) => Promise<PathIds>;
  query?: string | ((world: World, ids: PathIds) => Promise<string>);
  body?: (world: World, ids: PathIds, who: SignedIn | null) => object | Promise<object>;
  /** The permitted user on a route for sessions only: a user without an organization, or the owner of the first one. */
  as?: 'user' | 'owner';
  /** Nullable members, as JSON pointers, that this call needs because it has no other member of which one is required. */
  needed?: readonly string[];
  /** Permission that the service requires where the route itself accepts any key. */
  judges?: string;
  /** Status for a key with every permission in another division, if the path does not determine it. */
  otherDivision?: number;
}
