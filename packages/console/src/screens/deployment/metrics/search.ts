/** Minutes of each time range. */
export const RANGES = { '15m': 15, '1h': 60, '24h': 1_440 } as const;
export const RANGE_NAMES: Readonly<Record<Range, string>> = { '15m': '15 minutes', '1h': '1 hour', '24h': '24 hours' };

export type Range = keyof typeof RANGES;

/** What the address of the page says. Without a range: 1 hour. */
export const searchOfMetrics = ({ range }: Record<string, unknown>): { range?: Range } =>
  range === '15m' || range === '24h' ? { range } : {};
