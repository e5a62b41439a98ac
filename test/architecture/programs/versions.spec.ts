import { readFileSync } from 'node:fs';
import { copies, occurrences } from '../../../scripts/release/versions.mjs';

/** Files with versions of other projects, which one of ours can equal: here of the connectors of Apache Iggy. */
const OF_OTHERS = [
  'libs/broker-config/src/connectors/connector-catalogue.ts',
  'libs/host/src/connectors/connectors-config.ts',
  'site/package-lock.json',
];

describe('The version of the release', () => {
  const { version: source } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  it('is in every copy the one of package.json', () => {
    const all = copies();

    expect(all.length).toBeGreaterThan(20);
    expect(all.filter(({ version }) => version !== source)).toEqual([]);
  });

  it('stands nowhere else: a file imports it, or has a form that `npm run release:version` writes', () => {
    const places = new Set(copies().map(({ path, line }) => `${path}:${line}`));
    const lines = occurrences(source).map(({ path, line }) => `${path}:${line}`);

    expect(lines.length).toBeGreaterThan(15);
    const unknown = lines.filter((line) => !places.has(line) && !OF_OTHERS.some((path) => line.startsWith(`${path}:`)));
    expect(unknown).toEqual([]);
  });
});
