import type { LogFilter } from '../../../api/queries/logs.js';
import { FILTERS } from '../../../generated/values.js';
import { ID, readFilter } from '../../../ui/list/filters.js';

/** What the address of the page says. */
export interface LogSearch extends LogFilter {
  paused?: true;
}

/** The router reads `?text=7` as a number. */
export function searchOfLogs({ text, paused, ...others }: Record<string, unknown>): LogSearch {
  const { node, ...known } = readFilter(others, { ...FILTERS['logs.list'], node: ID });
  const words = typeof text === 'string' || typeof text === 'number' ? String(text) : '';
  return {
    ...(known as Pick<LogFilter, 'level' | 'runtime'>),
    ...(node !== undefined && { node: Number(node) }),
    ...(words !== '' && { text: words }),
    ...(paused === true && { paused }),
  };
}
