// Runs before `npm start` and similar commands: builds if `dist` is older than the sources. Prints nothing if there is
// nothing to do.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.mjs';
import { isConsoleFresh } from './compile/build-console.mjs';
import { isFresh as isServerFresh, ROOT } from './build-stamp.mjs';
import { generateIfStale } from './generate-if-stale.mjs';

const isFresh = () => isServerFresh() && isConsoleFresh();

await generateIfStale();
if (!isFresh()) {
  if (!existsSync(join(ROOT, 'node_modules/esbuild'))) {
    console.error('The build tools are not installed. Run: npm ci');
    process.exit(1);
  }
  const { build, BuildFailed } = await import('./build.mjs');
  try {
    await withBuildLock(async () => {
      // The process that held the lock before may have built already.
      if (isFresh()) return;
      console.log('Building Landlord, for its sources have changed …');
      await build();
    });
  } catch (error) {
    console.error(error instanceof BuildFailed ? error.message : error);
    process.exit(1);
  }
}
