import { readPage, type PageSearch } from '../../../ui/list/pages.js';
import { searchOfConfigs, type ConfigSearch } from '../configs/search.js';

export const TYPES = ['source', 'sink'] as const;
type ConnectorType = (typeof TYPES)[number];

/** What the address of the catalogue says. */
export interface CatalogueSearch extends PageSearch {
  type?: ConnectorType;
  /** The connector whose form is open: `sink:http`. */
  activate?: `${ConnectorType}:${string}`;
}

export function searchOfCatalogue(search: Record<string, unknown>): CatalogueSearch {
  const type = TYPES.find((one) => one === search['type']);
  const [opened, key = ''] = (typeof search['activate'] === 'string' ? search['activate'] : '').split(':');
  const activated = TYPES.find((one) => one === opened);
  return {
    ...readPage(search),
    ...(type && { type }),
    ...(activated && key !== '' && { activate: `${activated}:${key}` as const }),
  };
}

/** What the address of an instance says: the open version, and the page of the dead letters. */
export const searchOfInstance = (search: Record<string, unknown>): ConfigSearch & PageSearch => ({
  ...searchOfConfigs(search),
  ...readPage(search),
});
