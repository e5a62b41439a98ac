import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { findIggyConnectors, findIggyLibraries } from '@libs/cloud';
import { skippedSuite, type Suite } from '../skips.js';
import { IGGY_DATA_DIR, IGGY_SERVER } from './describe-with-iggy.js';

const SERVER = IGGY_SERVER?.binary ?? null;

/** The iggy-connectors for tests: IGGY_CONNECTORS_BIN, otherwise the one beside the server. Its plugins are in the same folder. */
export const IGGY_CONNECTORS = await findIggyConnectors(process.env['IGGY_CONNECTORS_BIN'], SERVER);

/** The folders of shared libraries for both, in the form of LD_LIBRARY_PATH. Null: the system has them. */
export const IGGY_LIBRARIES = findIggyLibraries(resolve(IGGY_DATA_DIR));

/** The programs for the agent of a node under test, as its bootstrap file names them. */
export const IGGY_BINARIES = {
  iggy: SERVER ?? '',
  ...(IGGY_CONNECTORS !== null && { iggy_connectors: IGGY_CONNECTORS }),
  ...(IGGY_LIBRARIES !== null && { iggy_libraries: IGGY_LIBRARIES }),
};

/** The settings of a Supervisor whose new deployments use iggy. */
export const IGGY_SETTINGS: Record<string, string> = {
  LOCAL_BROKER: 'iggy',
  IGGY_SERVER_BIN: SERVER ?? '',
  IGGY_CONNECTORS_BIN: IGGY_CONNECTORS ?? '',
};

/** Puts the libraries that this checkout has into another data directory, where a Supervisor looks for them. */
export async function linkIggyLibraries(dataDir: string): Promise<void> {
  if (IGGY_LIBRARIES === null) return;
  const [own, other] = [resolve(IGGY_DATA_DIR), dataDir].map((folder) => resolve(folder, 'packages/libhwloc15'));
  if (own === undefined || other === undefined || existsSync(other)) return;
  await mkdir(dirname(other), { recursive: true });
  await symlink(own, other);
}

/** A suite that needs a real iggy-server and a real iggy-connectors. Without them, the suite is skipped. */
export const describeWithIggyConnectors: Suite =
  IGGY_CONNECTORS === null
    ? skippedSuite('iggy-connectors is missing', 'Run "npm run broker:iggy", or set IGGY_CONNECTORS_BIN')
    : describe;
