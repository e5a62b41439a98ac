/** A duration as text: `250ms`, `5s`, `10m`, `2h`, `7d`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Returns the milliseconds of a Duration. */
export function milliseconds(duration: Duration): number {
  const match = /^([\d.]+)(ms|s|m|h|d)$/.exec(duration);
  if (!match) throw new RangeError(`not a duration: ${duration}`);
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}
