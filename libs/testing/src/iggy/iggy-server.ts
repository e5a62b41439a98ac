import { findIggyConnectors, findIggyLibraries, findIggyServer } from '@libs/host/programs';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isProvenIggy } from '@libs/domain/iggy-releases';
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

/** The iggy-connectors for tests: IGGY_CONNECTORS_BIN, otherwise the one beside the server. Its plugins are in the same folder. */
export const IGGY_CONNECTORS = await findIggyConnectors(process.env['IGGY_CONNECTORS_BIN'], IGGY_SERVER);

/** The folders of shared libraries for both, in the form of LD_LIBRARY_PATH. Null: the system has them. */
export const IGGY_LIBRARIES = findIggyLibraries(resolve(DATA_DIR));

/** The programs for the agent of a node under test, as its bootstrap file names them. */
export const IGGY_BINARIES = {
  iggy: IGGY_SERVER ?? '',
  ...(IGGY_CONNECTORS !== null && { iggy_connectors: IGGY_CONNECTORS }),
  ...(IGGY_LIBRARIES !== null && { iggy_libraries: IGGY_LIBRARIES }),
};

/** The settings of a Supervisor whose new deployments use iggy. */
export const IGGY_SETTINGS: Record<string, string> = {
  LOCAL_BROKER: 'iggy',
  IGGY_SERVER_BIN: IGGY_SERVER ?? '',
  IGGY_CONNECTORS_BIN: IGGY_CONNECTORS ?? '',
};

/** Puts the libraries that this checkout has into another data directory, where a Supervisor looks for them. */
export async function linkIggyLibraries(dataDir: string): Promise<void> {
  if (IGGY_LIBRARIES === null) return;
  const [ownFolder, other] = [resolve(DATA_DIR), dataDir].map((folder) => resolve(folder, 'packages/libhwloc15'));
  if (ownFolder === undefined || other === undefined || existsSync(other)) return;
  await mkdir(dirname(other), { recursive: true });
  await symlink(ownFolder, other);
}

/** A suite that needs a real iggy-server of the proven line. On a machine without one, the suite is skipped. */
export const describeWithIggy: Suite = isProvenIggy(IGGY_RELEASE)
  ? describe
  : skippedSuite('iggy-server 0.8 is missing', 'Run "npm run broker:iggy", or set IGGY_SERVER_BIN');

/** A suite that needs a real iggy-server with a real iggy-connectors. */
export const describeWithIggyConnectors: Suite =
  !isProvenIggy(IGGY_RELEASE) || IGGY_CONNECTORS === null
    ? skippedSuite('iggy-connectors is missing', 'Run "npm run broker:iggy", or set IGGY_CONNECTORS_BIN')
    : describe;
