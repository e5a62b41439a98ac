const STEPS = '▁▂▃▄▅▆▇█';

/** Numbers from 0 to the largest as small bars, the newest at the right. */
export function bars(numbers: readonly number[], largest: number, columns: number): string {
  const shown = numbers.slice(-columns).map((one) => {
    const step = Math.round((Math.min(Math.max(one, 0), largest) / (largest || 1)) * (STEPS.length - 1));
    return STEPS[step] ?? '';
  });
  return shown.join('').padStart(columns);
}

const UNITS = ['', 'K', 'M', 'G', 'T', 'P'];

/** A number in at most five characters: `1.5K`. */
export function short(number: number | undefined): string {
  if (number === undefined || !Number.isFinite(number)) return '-';
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.abs(number) || 1) / 3), 0), UNITS.length - 1);
  const value = number / 1000 ** power;
  return `${Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${UNITS[power]}`;
}
