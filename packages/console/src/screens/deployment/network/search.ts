import { readIds } from '../../../ui/list/filters.js';

/** What the address of the page says. */
export interface NetworkSearch {
  /** The peering whose next steps are open. */
  peering?: number;
  /** The service attachment whose next steps and connections are open. */
  attachment?: number;
}

export const searchOfNetwork = (search: Record<string, unknown>): NetworkSearch =>
  readIds(search, 'peering', 'attachment');
