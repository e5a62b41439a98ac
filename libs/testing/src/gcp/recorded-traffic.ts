import { existsSync, readFileSync } from 'node:fs';
import { skippedSuite, type Suite } from '../skips.js';

/** The variable with the path of the recorded traffic of Google's own tests, as `{story: [[id, method, url, body, status, answer]]}`. */
const VARIABLE = 'GOOGLE_TRANSCRIPTS';

/** A suite that compares with traffic of the real Google. Without a recording it is skipped. */
export const describeRecorded: Suite = existsSync(process.env[VARIABLE] ?? '')
  ? describe
  : skippedSuite('there is no recorded traffic of Google', `Set ${VARIABLE} to its file`);

/** The text of the recording. Only for tests of `describeRecorded`. */
export function recordedTraffic(): string {
  return readFileSync(process.env[VARIABLE] ?? '', 'utf8');
}
