import { resolve } from 'node:path';
import { findIggyConnectors, findIggyLibraries, findIggyServer } from '@libs/cloud';
import { skippedSuite, type Suite } from '../skips.js';
import { iggyRelease } from './iggy-start.mjs';

/** `npm run broker:iggy` puts its files there. */
const DATA_DIR = '.landlord';

/** The iggy-server for tests: IGGY_SERVER_BIN, otherwise the one from `npm run broker:iggy`, otherwise the one in PATH. */
export const IGGY_SERVER = await findIggyServer({
  given: process.env['IGGY_SERVER_BIN'],
  dataDir: DATA_DIR,
  path: process.env['PATH'] ?? '',
});

/** The release of the iggy-server for tests. Empty without one. */
export const IGGY_RELEASE = IGGY_SERVER === null ? '' : iggyRelease(IGGY_SERVER);

/** The release line that Landlord has proofs for. */
const PROVEN_LINE = '0.8.';

/** The iggy-connectors for tests: IGGY_CONNECTORS_BIN, otherwise the one beside the server. Its plugins are in the same folder. */
export const IGGY_CONNECTORS = await findIggyConnectors(process.env['IGGY_CONNECTORS_BIN'], IGGY_SERVER);

/** The folders of shared libraries for both, in the form of LD_LIBRARY_PATH. Null: the system has them. */
export const IGGY_LIBRARIES = findIggyLibraries(resolve(DATA_DIR));

/** A suite that needs a real iggy-server of the proven line. On a machine without one, the suite is skipped. */
export const describeWithIggy: Suite = IGGY_RELEASE.startsWith(PROVEN_LINE)
  ? describe
  : skippedSuite('iggy-server 0.8 is missing', 'Run "npm run broker:iggy", or set IGGY_SERVER_BIN');

/** A suite that needs a real iggy-server with a real iggy-connectors. */
export const describeWithIggyConnectors: Suite =
  !IGGY_RELEASE.startsWith(PROVEN_LINE) || IGGY_CONNECTORS === null
    ? skippedSuite('iggy-connectors is missing', 'Run "npm run broker:iggy", or set IGGY_CONNECTORS_BIN')
    : describe;
