import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASE } from './release.js';

it('The release equals the version of the package', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8');

  expect((JSON.parse(text) as { version: string }).version).toBe(RELEASE);
});
