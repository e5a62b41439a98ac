import { skippedSuite, type Suite } from '../skips.js';
import { iggyRelease } from './iggy-start.mjs';

/** The unmodified iggy-server of the tests, and its release. Null without IGGY_SERVER_BIN. */
export const IGGY_SERVER = installed(process.env['IGGY_SERVER_BIN']);

/** A suite that needs a real iggy-server of a release line such as `0.8`. Without one, the suite is skipped. */
export function describeWithIggy(line: string): Suite {
  if (IGGY_SERVER?.release.startsWith(`${line}.`)) return describe;
  return skippedSuite(`iggy-server ${line} is missing`, 'Set IGGY_SERVER_BIN to its path');
}

function installed(binary: string | undefined): { binary: string; release: string } | null {
  return binary === undefined || binary === '' ? null : { binary, release: iggyRelease(binary) };
}
