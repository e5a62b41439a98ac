const KINDS = 'spec,matrix,proof,attack,timing,story,contract,schemathesis,helm';
/** The globs of one suite, as a JSON list, from scripts/suites/parts.mjs. Without them, the file that the command names. */
const INCLUDED = process.env.TEST_INCLUDE;

/** Tests of one module live beside its code; tests over real processes live in test/e2e. */
export default {
  roots: ['apps', 'libs', 'packages', 'test'].map((folder) => `<rootDir>/${folder}`),
  testMatch: (INCLUDED ? JSON.parse(INCLUDED) : [`**/*.{${KINDS}}.ts`]).map((glob) => `<rootDir>/${glob}`),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': '<rootDir>/libs/testing/src/jest/transform.mjs' },
  runtime: '<rootDir>/libs/testing/src/jest/runtime.cjs',
  testEnvironment: '<rootDir>/libs/testing/src/jest/environment.cjs',
  globalSetup: '<rootDir>/libs/testing/src/jest/set-up.mjs',
  globalTeardown: '<rootDir>/libs/testing/src/jest/tear-down.mjs',
  watchman: false,
  maxWorkers: 2,
  // A worker that has grown so far starts anew between two files.
  workerIdleMemoryLimit: '1GB',
  coverageProvider: 'v8',
  collectCoverageFrom: [
    ...['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    // Processes of their own, which the e2e tests start; and code that runs once.
    ...['!**/*.{spec,proof}.ts', '!**/*.main.ts', '!**/main.ts', '!**/migrations/*.ts', '!libs/testing/**'],
  ],
  coverageReporters: ['text-summary', 'html', 'json-summary'],
  coverageDirectory: 'coverage',
  // What was measured last. Raise these limits with the coverage, and never lower them.
  coverageThreshold: { global: { lines: 70, branches: 62, statements: 69, functions: 69 } },
  // Longer than any patience within: a test that waits in vain says for what.
  testTimeout: 150_000,
};
