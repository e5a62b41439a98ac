// npm run bundle:cli: bundles the commands for users into packages/cli/dist, which needs only Node. Each command is a file that is loaded on use.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { ROOT } from '../build-stamp.mjs';

const NODE = { platform: 'node', target: 'node20', minify: true };

/**
 * Commander loads a module for programs that Landlord's commands do not have, and the module loads the network of Node. That is a
 * tenth of the CPU time of `landlord --help`.
 */
const LAZY_PROGRAMS = {
  name: 'lazy-programs',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('commander') ? { path, namespace: 'lazy' } : undefined,
    );
    bundle.onLoad({ filter: /./, namespace: 'lazy' }, () => ({
      contents: "exports.spawn = (...given) => process.getBuiltinModule('node:child_process').spawn(...given);",
    }));
  },
};

/**
 * Bundles the command line of a commit, or of a checkout, into `outdir`. Resolves with the sources of the bundle.
 *
 * The files are CommonJS, because the loader of ES modules takes 4 ms of CPU time at each start. esbuild splits only ES modules, so
 * each file is translated after the split.
 */
export async function bundleCli(outdir, commit) {
  rmSync(outdir, { recursive: true, force: true });
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(ROOT, 'packages/cli/src/main.ts')],
    ...{ outdir, bundle: true, splitting: true, format: 'esm', write: false, plugins: [LAZY_PROGRAMS], ...NODE },
    // A program for one platform, which the command line can do without.
    external: ['@napi-rs/keyring'],
    ...(commit !== undefined && { define: { LANDLORD_COMMIT: JSON.stringify(commit) } }),
    metafile: true,
    ...{ chunkNames: '[name]-[hash]', logLevel: 'warning' },
  });
  mkdirSync(outdir, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, { format: 'cjs', supported: { 'dynamic-import': false }, ...NODE });
    writeFileSync(join(outdir, basename(path)), code, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  writeFileSync(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  return Object.keys(metafile.inputs);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bundleCli(join(ROOT, 'packages/cli/dist'));
