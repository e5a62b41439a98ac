import { readFilter } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

export const STATES = [
  { value: 'active', label: 'active' },
  { value: 'inactive', label: 'inactive' },
];

export const searchOfMembers = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { state: STATES.map(({ value }) => value) }),
});

/** The filter as the API takes it. */
export const activeOf = (state: string | undefined): boolean | undefined =>
  state === undefined ? undefined : state === 'active';
