const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const STEP = 1024;
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400] as const;

/** A number of bytes for people. */
export function bytesText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)), UNITS.length - 1);
  const value = bytes / STEP ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** A number of seconds for people. */
export function secondsText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 2 * MINUTE) return `${whole} s`;
  if (whole < 2 * HOUR) return `${Math.round(whole / MINUTE)} min`;
  return whole < 2 * DAY ? `${Math.round(whole / HOUR)} h` : `${Math.round(whole / DAY)} days`;
}

/** A time for people, in seconds and UTC. */
export const momentText = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;

/** `3 nodes`, `1 node`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
