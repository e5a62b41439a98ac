/** Compares two releases such as `2.9.10`: negative, zero or positive. Parts that are not numbers count as 0. */
export function compareReleases(left: string, right: string): number {
  const [a, b] = [parts(left), parts(right)];
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const parts = (release: string): number[] =>
  release
    .replace(/^v/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10) || 0);
