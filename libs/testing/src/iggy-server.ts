import { resolve } from 'node:path';
import { findIggyConnectors, findIggyLibraries, findIggyServer } from '@libs/cloud';
import { skippedSuite, type Suite } from './skips.js';

/** `npm run broker:iggy` puts its files there. */
const DATA_DIR = '.landlord';

/** The iggy-server for tests: IGGY_SERVER_BIN, otherwise the one from `npm run broker:iggy`, otherwise the one in PATH. */
export const IGGY_SERVER = await findIggyServer({
  given: process.env['IGGY_SERVER_BIN'],
  dataDir: DATA_DIR,
  path: process.env['PATH'] ?? '',
});

/** The iggy-connectors for tests: IGGY_CONNECTORS_BIN, otherwise the one beside the server. Its plugins are in the same folder. */
export const IGGY_CONNECTORS = await findIggyConnectors(process.env['IGGY_CONNECTORS_BIN'], IGGY_SERVER);

/** The folders of shared libraries for both, in the form of LD_LIBRARY_PATH. Null: the system has them. */
export const IGGY_LIBRARIES = findIggyLibraries(resolve(DATA_DIR));

/** A suite that needs a real iggy-server. On a machine without one, the suite is skipped. */
export const describeWithIggy: Suite =
  IGGY_SERVER === null
    ? skippedSuite('iggy-server is missing', 'Run "npm run broker:iggy", or set IGGY_SERVER_BIN')
    : describe;

/** A suite that needs a real iggy-server with a real iggy-connectors. */
export const describeWithIggyConnectors: Suite =
  IGGY_SERVER === null || IGGY_CONNECTORS === null
    ? skippedSuite('iggy-connectors is missing', 'Run "npm run broker:iggy", or set IGGY_CONNECTORS_BIN')
    : describe;
