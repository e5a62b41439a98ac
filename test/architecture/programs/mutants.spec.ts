import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { namedMutants } from '../../mutants/named/index.mjs';
import { ROOT } from '../sources/sources.js';

/** CI does not run the mutants, so their sources may change without them. */
describe('The named mutants', () => {
  it('each have a text to change, and specs', () => {
    const mutants = namedMutants();
    const missing = mutants.flatMap(({ name, specs }) =>
      specs.filter((spec) => !existsSync(join(ROOT, spec))).map((spec) => `${name}: ${spec}`),
    );

    expect(missing).toEqual([]);
    expect(mutants.length).toBeGreaterThan(30);
  });
});
