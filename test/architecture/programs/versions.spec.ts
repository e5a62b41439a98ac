import { readFileSync } from 'node:fs';
import { copies, occurrences } from '../../../scripts/release/versions.mjs';

describe('The version of the release', () => {
  const { version: source } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  it('is in every copy the one of package.json', () => {
    const all = copies();

    expect(all.length).toBeGreaterThan(20);
    expect(all.filter(({ version }) => version !== source)).toEqual([]);
  });

  it('stands nowhere else: a file imports it, or has a form that `npm run release:version` writes', () => {
    const known = new Set(copies().map(({ path, line }) => `${path}:${line}`));
    const places = occurrences(source).map(({ path, line }) => `${path}:${line}`);

    expect(places.length).toBeGreaterThan(15);
    expect(places.filter((place) => !known.has(place))).toEqual([]);
  });
});
