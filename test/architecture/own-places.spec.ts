import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources/sources.js';

/** The script of CI, in a hidden folder, knows its machine. All other files are for people who have the checkout and nothing else. */
const WRITTEN = ['apps', 'charts', 'docker', 'docs', 'libs', 'packages', 'scripts', 'test', '.github'];
const MADE = /(^|\/)(node_modules|dist|coverage)\//;
const TEXT = /\.([cm]?[jt]sx?|json|ya?ml|md|sh|sql|go|tf|txt|css|html|toml)$/;
const OUTSIDE = [
  /\.\.\/shared\b/,
  /\bbeside (the|this|your|that) (checkout|repository|clone)\b/i,
  /resolve\(ROOT, ['"`]\.\.\//,
  /\/work\//,
];

describe('The files of the project', () => {
  it('name no place outside of the checkout', () => {
    const inFolders = WRITTEN.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    );
    const files = [...readdirSync(ROOT), ...inFolders].filter(
      (path) => TEXT.test(path) && !MADE.test(path) && !path.endsWith('own-places.spec.ts'),
    );

    const faults = files.flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return OUTSIDE.filter((place) => place.test(text)).map((place) => `${path}: ${place}`);
    });

    expect(files.length).toBeGreaterThan(3_000);
    expect(faults).toEqual([]);
  });
});
