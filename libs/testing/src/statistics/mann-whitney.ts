/**
 * The probability that two samples of one distribution differ in their order by this much: Mann–Whitney U, two-sided, with the
 * normal approximation and a correction for ties. For samples of tens of values and more. Needs no assumption about the
 * distribution, so a few slow answers do not dominate the result.
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))];
  all.sort((one, other) => one.value - other.value);
  const n = all.length;
  let [rankSum, ties, index] = [0, 0, 0];
  while (index < n) {
    let end = index;
    while (end < n && all[end]?.value === all[index]?.value) end += 1;
    const rank = (index + 1 + end) / 2;
    rankSum += rank * all.slice(index, end).filter(({ isA }) => isA).length;
    ties += (end - index) ** 3 - (end - index);
    index = end;
  }
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  const deviation = Math.sqrt(((a.length * b.length) / 12) * (n + 1 - ties / (n * (n - 1))));
  return deviation === 0 ? 1 : 2 * upperTail(Math.abs(u - mean) / deviation);
}

/** P(Z > z) of the normal distribution, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = series.reduce((total, factor, power) => total + factor * t ** (power + 1), 0);
  return Math.max(0, (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI));
}

export const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
