// npm run cli: bundles the commands for users into packages/cli/dist, which needs only Node. Each command is a file that is loaded on use.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../build-stamp.mjs';

/** Packages of CommonJS in the bundle call `require` for modules of Node. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

export async function bundleCli(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [join(ROOT, 'packages/cli/src/main.ts')],
    ...{ outdir, bundle: true, splitting: true, minify: true, format: 'esm', platform: 'node', target: 'node20' },
    ...{ banner: { js: BANNER }, chunkNames: '[name]-[hash]', logLevel: 'warning' },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await bundleCli(join(ROOT, 'packages/cli/dist'));
