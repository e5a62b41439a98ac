// Before `npm start` and its like: builds when `dist` is not what the sources say. Silent when there is nothing to do.
import { withBuildLock } from './build-lock.mjs';
import { isFresh } from './build-stamp.mjs';

if (!isFresh()) {
  const { build, BuildFailed } = await import('./build.mjs');
  try {
    await withBuildLock(() => {
      // Whoever held the lock before us may have done our work.
      if (isFresh()) return;
      console.log('Building Landlord, for its sources have changed …');
      build();
    });
  } catch (error) {
    console.error(error instanceof BuildFailed ? error.message : error);
    process.exit(1);
  }
}
