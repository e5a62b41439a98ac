import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = import.meta.dirname;
const KINDS = 'spec,matrix,proof,attack,timing,story,contract,schemathesis,helm';
/** The globs of one suite, as a JSON list, from scripts/parts.mjs. Without them, the file that the command names. */
const INCLUDED = process.env.TEST_INCLUDE;

const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
const alias = Object.entries(compilerOptions.paths).map(([name, [path]]) => ({
  find: new RegExp(`^${name.replace('*', '([^/]+)')}$`),
  replacement: join(ROOT, path.replace('*', '$1')),
}));

/** Tests of one module live beside its code; tests over real processes live in test/e2e. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: INCLUDED ? JSON.parse(INCLUDED) : [`{apps,libs,packages,test}/**/*.{${KINDS}}.ts`],
    globals: true,
    globalSetup: 'libs/testing/src/postgres/global-setup.mjs',
    pool: 'forks',
    // A worker loads NestJS and TypeORM once for all its files. Without this, loading takes a third of the time.
    isolate: false,
    maxWorkers: 2,
    // Node imports packages; Vitest must not unwrap their default exports in another way than Node does.
    deps: { interopDefault: false },
    experimental: { fsModuleCache: true },
    coverage: {
      provider: 'v8',
      include: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts', 'libs/broker/*/src/**/*.ts'],
      // Processes of their own, which the e2e tests start; and code that runs once.
      exclude: ['**/*.{spec,proof}.ts', '**/*.main.ts', '**/main.ts', '**/migrations/*.ts', 'libs/testing/**'],
      reporter: ['text-summary', 'html', 'json-summary'],
      reportsDirectory: 'coverage',
      // What was measured last. Raise these limits with the coverage, and never lower them.
      thresholds: { lines: 70, branches: 62, statements: 69, functions: 69 },
    },
    // Longer than any patience within: a test that waits in vain says for what.
    testTimeout: 150_000,
    hookTimeout: 150_000,
    teardownTimeout: 60_000,
  },
});
