import type { LogFilter } from '../../../api/queries/logs.js';
import { FILTERS } from '../../../generated/values.js';
import { readFilter, readIds } from '../../../ui/list/filters.js';

/** What the address of the page says. */
export interface LogSearch extends LogFilter {
  paused?: true;
}

/** The router reads `?text=7` as a number. */
export function searchOfLogs({ text, paused, ...others }: Record<string, unknown>): LogSearch {
  const words = typeof text === 'string' || typeof text === 'number' ? String(text) : '';
  return {
    ...(readFilter(others, FILTERS['logs.list']) as Pick<LogFilter, 'level' | 'runtime'>),
    ...readIds(others, 'node'),
    ...(words !== '' && { text: words }),
    ...(paused === true && { paused }),
  };
}
