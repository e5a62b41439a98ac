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
const BYTES: Record<string, number> = {
  ...{ b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  ...{ kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 },
};
const ZERO = ['0', 'none', 'unlimited', 'disabled'];
/** Longer than any quantity. Keeps the patterns below from running on long texts. */
const LONGEST = 60;

/** Milliseconds of a text such as `10 s` or `1m 30s`, and of the broker's words for zero. Null for other texts. */
export function milliseconds(text: string): number | null {
  if (text.length > LONGEST) return null;
  if (ZERO.includes(text.trim())) return 0;
  if (!/^(\s*\d+\s*[a-z]+)+\s*$/.test(text)) return null;
  let sum = 0;
  for (const [, amount, word = ''] of text.matchAll(/(\d+)\s*([a-z]+)/g)) {
    const unit = MS[word] ?? MS[DURATION_WORDS[word] ?? ''];
    if (unit === undefined) return null;
    sum += Number(amount) * unit;
  }
  return sum;
}

/** Bytes of a text such as `64 MiB`, `2 MB` or `0`. Null for other texts and for fractions of a byte. */
export function bytes(text: string): number | null {
  if (text.length > LONGEST) return null;
  if (ZERO.includes(text.trim())) return 0;
  const [, amount, word = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*$/.exec(text) ?? [];
  const unit = BYTES[word === '' ? 'b' : word.toLowerCase()];
  const size = Number(amount) * (unit ?? Number.NaN);
  return Number.isInteger(size) ? size : null;
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
