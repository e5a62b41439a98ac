import type { LogFilter } from '../../../api/queries/logs.js';

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** What the address of the page says. */
export interface LogSearch extends LogFilter {
  paused?: true;
}

/** The router reads `?text=7` as a number. */
export function searchOfLogs({ level, text, paused }: Record<string, unknown>): LogSearch {
  const known = LEVELS.find((one) => one === level);
  const words = typeof text === 'string' || typeof text === 'number' ? String(text) : '';
  return { ...(known && { level: known }), ...(words !== '' && { text: words }), ...(paused === true && { paused }) };
}
