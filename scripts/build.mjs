// npm run build: compiles both apps and the launcher into `dist`, bundles each program, builds the console beside them,
// and deletes all other importable files. Nothing checks types here: `npm run types` does.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { buildConsole } from './compile/build-console.mjs';
import { bundlePrograms, programSources } from './artifacts/bundle-programs.mjs';
import { withBuildLock } from './build-lock.mjs';
import { assets, DIST, dropStamp, hashSources, lingeringOutputs, ROOT, writeStamp } from './build-stamp.mjs';
import { Compilation, rootSources } from './compile/compile.mjs';
import { generateIfStale } from './generate-if-stale.mjs';

/**
 * A build runs most of its code for too short a time to gain from optimized machine code. V8 makes it on the cores that the bundler
 * needs, so V8 shall do it later: a build needs a second of CPU less.
 */
setFlagsFromString('--interrupt-budget=1000000');

/** The build failed; the message contains all details. */
export class BuildFailed extends Error {
  name = 'BuildFailed';
}

/** Compiles. Rejects with BuildFailed. The caller has the build lock. */
export async function build() {
  mkdirSync(DIST, { recursive: true });
  dropStamp();
  const sources = hashSources();
  const outputs = await writeOutputs();
  const missing = outputs.find((file) => !existsSync(join(DIST, file)));
  if (missing) throw new BuildFailed(`The build did not write dist/${missing}.`);
  removeLingering(outputs);
  writeStamp(sources, outputs);
}

/** The console, the modules and the bundles at the same time. Returns all files, except those of the console. */
async function writeOutputs() {
  const programs = programSources();
  const compilation = new Compilation({ roots: [...rootSources(), ...programs], bundled: programs });
  const modules = compilation.run();
  const bundles = bundlePrograms((path) => compilation.written(path));
  // All of them have ended before the build ends: the next build may begin at once.
  const results = await Promise.allSettled([modules, bundles, buildConsole()]);
  // A module that does not compile is also missing in the bundles.
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw new BuildFailed(`${failed.reason.message}\nThe build failed.`);
  copyAssets();
  return [...results[0].value, ...results[1].value, ...assets()];
}

function copyAssets() {
  for (const file of assets()) {
    mkdirSync(dirname(join(DIST, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(DIST, file));
  }
}

/** A file whose source was deleted must not stay importable. */
function removeLingering(outputs) {
  const lingering = lingeringOutputs(outputs);
  for (const file of lingering) rmSync(file);
  if (lingering.length === 0) return;
  // A manual `nest build <project>` writes its own build info, which would now be wrong.
  for (const name of readdirSync(DIST)) if (name.endsWith('.tsbuildinfo')) rmSync(join(DIST, name));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await generateIfStale();
    await withBuildLock(build);
  } catch (error) {
    console.error(error instanceof BuildFailed ? error.message : error);
    process.exit(1);
  }
}
