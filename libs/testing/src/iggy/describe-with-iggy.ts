import { findIggyServer } from '@libs/cloud';
import { skippedSuite, type Suite } from '../skips.js';
import { iggyRelease } from './iggy-start.mjs';

/** `npm run broker:iggy` puts its files there. */
export const IGGY_DATA_DIR = '.landlord';

/**
 * The unmodified iggy-server of the tests, and its release: IGGY_SERVER_BIN, otherwise the one from `npm run broker:iggy`,
 * otherwise the one in PATH. Null: there is none.
 */
export const IGGY_SERVER = installed(
  await findIggyServer({
    given: process.env['IGGY_SERVER_BIN'],
    dataDir: IGGY_DATA_DIR,
    path: process.env['PATH'] ?? '',
  }),
);

/** A suite that needs a real iggy-server of a release line such as `0.8`. Without one, the suite is skipped. */
export function describeWithIggy(line: string): Suite {
  if (IGGY_SERVER?.release.startsWith(`${line}.`)) return describe;
  return skippedSuite(`iggy-server ${line} is missing`, 'Run "npm run broker:iggy", or set IGGY_SERVER_BIN');
}

function installed(binary: string | null): { binary: string; release: string } | null {
  return binary === null ? null : { binary, release: iggyRelease(binary) };
}
