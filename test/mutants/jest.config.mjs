import base from '../../jest.config.mjs';
import { ROOT } from './play.mjs';

/**
 * The specs with one mutant. The runner starts PostgreSQL once for all mutants, so the global setup does not run. The
 * timeout is short, because a spec that waits for something has found the mutant.
 */
export default {
  ...base,
  rootDir: ROOT,
  transform: { '\\.tsx?$': '<rootDir>/test/mutants/transform.mjs' },
  globalSetup: undefined,
  globalTeardown: undefined,
  maxWorkers: 1,
  bail: 1,
  testTimeout: 60_000,
};
