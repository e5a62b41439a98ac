import { usage } from '../exit.js';
import { timeOfInstallation } from './clock.js';

const UNITS: Readonly<Record<string, number>> = {
  ...{ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 },
};
const DURATION = /^(?:\d+(?:\.\d+)?[smhdw])+$/;
/** The largest time of JavaScript is about 270,000 years away. */
const LONGEST_MS = 100 * 366 * 86_400_000;

/** The milliseconds of a duration such as `90s`, `10m`, `1h30m` or `90d`. Null: the text is none, or longer than a hundred years. */
export function durationMs(text: string): number | null {
  if (!DURATION.test(text)) return null;
  const parts = text.match(/[\d.]+[smhdw]/g) ?? [];
  const ms = parts.reduce((sum, part) => sum + Number(part.slice(0, -1)) * (UNITS[part.at(-1) ?? ''] ?? 0), 0);
  return ms <= LONGEST_MS ? ms : null;
}

/** The milliseconds that an option names. @throws CommandError for another text */
export function durationOf(option: string, text: string): number {
  const ms = durationMs(text);
  if (ms !== null && ms > 0) return ms;
  throw usage(`${option} must be a duration, and is "${text}".`, 'such as 90s, 10m, 2h or 90d');
}

/**
 * The time of an option: a duration counts from now, by the clock of the installation. Any other text is for the API, which explains
 * what it takes.
 */
export function timeOf(text: string, direction: 'past' | 'future'): string {
  const ms = durationMs(text);
  if (ms === null) return text;
  return new Date(timeOfInstallation() + (direction === 'past' ? -ms : ms)).toISOString();
}
