import base from '../../vitest.config.mjs';
import { mutantFromEnvironment } from './switch.mjs';

/**
 * The specs with one mutant. The runner starts PostgreSQL once for all mutants, so the global setup does not run. The
 * timeout is short, because a spec that waits for something has found the mutant.
 */
export default {
  ...base,
  plugins: [mutantFromEnvironment()],
  test: { ...base.test, globalSetup: [], maxWorkers: 1, bail: 1, testTimeout: 60_000, hookTimeout: 60_000 },
};
