import { readIds } from '../../../ui/list/filters.js';

/** What the address of the page says. */
export interface ConfigSearch {
  /** The version that is open. */
  version?: number;
  /** The version that the open one is compared with. */
  against?: number;
}

export function searchOfConfigs(search: Record<string, unknown>): ConfigSearch {
  const { version, against } = readIds(search, 'version', 'against');
  if (version === undefined) return {};
  return { version, ...(against !== undefined && against !== version && { against }) };
}
