// npm run build: compiles both apps and the launcher into `dist`, bundles each program, builds the console beside them,
// and deletes all other importable files.
// One program instead of one per project: they share the libraries, and type-checking those once takes a third of the
// time.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { bundlePrograms } from './artifacts/bundle-programs.mjs';
import { withBuildLock } from './build-lock.mjs';
import {
  assets,
  BUILD_INFO,
  DIST,
  dropStamp,
  expectedOutputs,
  hasSameSettings,
  hashSources,
  isWhole,
  lingeringOutputs,
  ROOT,
  writeStamp,
} from './build-stamp.mjs';

const NEST = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');
const ARGUMENTS = ['build', 'main-api', '--path', join('scripts', 'tsconfig.build.json')];

/** The build failed; the message contains all details. */
export class BuildFailed extends Error {
  name = 'BuildFailed';
}

/** Compiles. Rejects with BuildFailed. The caller has the build lock. */
export async function build() {
  if (!existsSync(NEST)) throw new BuildFailed('The build tools are not installed. Run: npm ci');
  mkdirSync(DIST, { recursive: true });
  // The compiler skips files that its build info lists, also files that are incomplete or were deleted since. It does
  // not compare its plugins.
  if (!isWhole() || !hasSameSettings()) rmSync(BUILD_INFO, { force: true });
  dropStamp();
  const sources = hashSources();
  // A process of its own, which goes on while the compiler blocks this one.
  const console = buildConsole().then(
    () => null,
    (error) => new BuildFailed(error.message),
  );
  compile();
  const failure = await console;
  if (failure) throw failure;
  await bundle();
  copyAssets();
  const outputs = expectedOutputs();
  const missing = outputs.find((file) => !existsSync(join(DIST, file)));
  if (missing) throw new BuildFailed(`The build did not write dist/${missing}.`);
  removeLingering(outputs);
  writeStamp(sources, outputs);
}

function compile() {
  const { status, signal } = spawnSync(process.execPath, [NEST, ...ARGUMENTS], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new BuildFailed(`The build failed (${signal ?? `exit code ${status}`}).`);
}

async function bundle() {
  try {
    await bundlePrograms();
  } catch (error) {
    throw new BuildFailed(`The programs cannot be bundled.\n${error.message}`);
  }
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
  for (const name of readdirSync(DIST))
    if (name !== '.tsbuildinfo' && name.endsWith('.tsbuildinfo')) rmSync(join(DIST, name));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await withBuildLock(build);
  } catch (error) {
    console.error(error instanceof BuildFailed ? error.message : error);
    process.exit(1);
  }
}
