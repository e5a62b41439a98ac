/** Unit and in-process integration specs live beside the code; stories over real processes live in test/e2e. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  globalSetup: '<rootDir>/libs/testing/src/postgres/global-setup.mjs',
  globalTeardown: '<rootDir>/libs/testing/src/postgres/global-teardown.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^@libs/persistence/(organization|channels|billing|runtime|ledger|platform|operator|migrations)$':
      '<rootDir>/libs/persistence/src/$1/index.ts',
    '^@libs/domain/(settings|agent-protocol|secret-patterns|storable-text|node-orders|node-sockets)$':
      '<rootDir>/libs/domain/src/$1.ts',
    '^@libs/broker/(schema|runtime)$': '<rootDir>/libs/broker/$1/src/index.ts',
    '^@libs/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
      },
    ],
  },
  maxWorkers: 2,
  // Longer than any patience within: what waits in vain says for what.
  testTimeout: 150_000,
};
