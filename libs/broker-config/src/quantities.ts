const MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const DURATION_WORDS: Record<string, keyof typeof MS> = {
  ...{ nsec: 'ns', usec: 'us', msec: 'ms', sec: 's', secs: 's', second: 's', seconds: 's', min: 'm', mins: 'm' },
  ...{
    minute: 'm',
    minutes: 'm',
    hr: 'h',
    hrs: 'h',
    hour: 'h',
    hours: 'h',
    day: 'd',
    days: 'd',
    week: 'w',
    weeks: 'w',
  },
};
/** Case matters: servers read `kb` and `mb` as bits. */
const BYTES: Record<string, number> = {
  ...{ B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
  ...{ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 },
};
const NO_TIME = ['0', 'none', 'unlimited', 'disabled'];
/** Fractions such as `4294967.295 KB` are not exact numbers. */
const ROUNDING = 1e-14;
/** Longer than any quantity. Keeps the patterns below from running on long texts. */
const LONGEST = 60;

/** Milliseconds of a text such as `10 s` or `1m 30s`, and of the broker's words for zero. Null for other texts. */
export function milliseconds(text: string): number | null {
  if (text.length > LONGEST) return null;
  if (NO_TIME.includes(text.trim())) return 0;
  if (!/^(\s*\d+\s*[a-z]+)+\s*$/.test(text)) return null;
  let sum = 0;
  for (const [, amount, word = ''] of text.matchAll(/(\d+)\s*([a-z]+)/g)) {
    const unit = MS[word] ?? MS[DURATION_WORDS[word] ?? ''];
    if (unit === undefined) return null;
    sum += Number(amount) * unit;
  }
  return sum;
}

/** Bytes of a text such as `64 MiB`, `2 MB`, `512` or `0`. Null for other texts and for fractions of a byte. */
export function bytes(text: string): number | null {
  if (text.length > LONGEST) return null;
  const [, amount, word = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*$/.exec(text) ?? [];
  const unit = BYTES[word === '' ? 'B' : word];
  const size = Number(amount) * (unit ?? Number.NaN);
  const whole = Math.round(size);
  return Math.abs(size - whole) <= whole * ROUNDING ? whole : null;
}

const DURATIONS: [string, number][] = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];
const SIZES: [string, number][] = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
  ['B', 1],
];

/** `1500` gives `1500 ms`, `2000` gives `2 s`: the largest unit without a remainder. */
export const durationText = (ms: number): string => textOf(ms, DURATIONS);
export const bytesText = (size: number): string => textOf(size, SIZES);

function textOf(amount: number, units: [string, number][]): string {
  const [name, size] = units.find(([, one]) => amount > 0 && amount % one === 0) ?? units[units.length - 1] ?? ['', 1];
  return `${amount / size} ${name}`;
}
