const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;
/** Two units of a time tell no more to a person. */
const FEW_DAYS = 3;

/** How long ago a time is, or how far ahead: `3m ago`, `in 2h`. A text that is no time stays as it is. */
export function ageOf(time: string, now: number): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const seconds = Math.round(Math.abs(now - at) / 1_000);
  const span = spanOf(seconds);
  return at > now ? `in ${span}` : `${span} ago`;
}

function spanOf(seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ['s', 1];
  const whole = Math.floor(seconds / size);
  const hours = Math.floor((seconds % size) / 3_600);
  return unit === 'd' && whole < FEW_DAYS && hours > 0 ? `${whole}d${hours}h` : `${whole}${unit}`;
}

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes with its unit: `1.5 MiB`. */
export function sizeOf(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), SIZES.length - 1);
  const value = bytes / 1_024 ** power;
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${SIZES[power]}`;
}
