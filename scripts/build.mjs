// npm run build: compiles both apps and the launcher into `dist`, and nothing else is left there to be imported.
// One program instead of one per project: they share the libraries, and type-checking those once takes a third of the time.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withBuildLock } from './build-lock.mjs';
import {
  BUILD_INFO,
  DIST,
  dropStamp,
  expectedOutputs,
  hashSources,
  isWhole,
  lingeringOutputs,
  ROOT,
  writeStamp,
} from './build-stamp.mjs';

const NEST = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');
const ARGUMENTS = ['build', 'main-api', '--path', join('scripts', 'tsconfig.build.json')];

/** The build cannot be made; the message says all there is to know. */
export class BuildFailed extends Error {
  name = 'BuildFailed';
}

/** Compiles. Throws BuildFailed. The caller holds the build lock. */
export function build() {
  if (!existsSync(NEST)) throw new BuildFailed('The build tools are not installed. Run: npm ci');
  mkdirSync(DIST, { recursive: true });
  // The compiler leaves alone what its notes call done, also where that was cut short or removed since.
  if (!isWhole()) rmSync(BUILD_INFO, { force: true });
  dropStamp();
  const sources = hashSources();
  compile();
  const outputs = expectedOutputs();
  const missing = outputs.find((file) => !existsSync(join(DIST, file)));
  if (missing) throw new BuildFailed(`The compiler did not write dist/${missing}.`);
  removeLingering(outputs);
  writeStamp(sources, outputs);
}

function compile() {
  const { status, signal } = spawnSync(process.execPath, [NEST, ...ARGUMENTS], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new BuildFailed(`The build failed (${signal ?? `exit code ${status}`}).`);
}

/** A file whose source is gone must not stay importable. */
function removeLingering(outputs) {
  const lingering = lingeringOutputs(outputs);
  for (const file of lingering) rmSync(file);
  if (lingering.length === 0) return;
  // `nest build <project>` by hand keeps notes of its own, which would now be wrong.
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
