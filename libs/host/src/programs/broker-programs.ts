import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrokerDriver } from '@libs/domain';
import { isProvenIggy, PROVEN_IGGY_LINE } from '@libs/domain/iggy-releases';
import { StartRefused } from '@libs/domain/starts';
import { askRelease, type BrokerProgramName } from './ask-release.js';
import {
  findIggyConnectors,
  findIggyLibraries,
  findIggyServer,
  findNatsServer,
  type BinaryHints,
} from './find-programs.js';

/** The settings of a Supervisor that decide which programs its nodes run. */
export interface BrokerProgramSettings {
  LOCAL_BROKER: 'auto' | BrokerDriver;
  NATS_SERVER_BIN?: string | undefined;
  IGGY_SERVER_BIN?: string | undefined;
  IGGY_CONNECTORS_BIN?: string | undefined;
  IGGY_UNPROVEN_RELEASES: boolean;
  LANDLORD_DATA_DIR: string;
  /** The directories in which the system searches programs. */
  searchPath: string;
}

export interface BrokerProgram {
  /** Absolute. */
  path: string;
  /** Null: no new deployment uses the program, so that nobody has asked it. */
  release: string | null;
}

/** The programs of brokers on this machine. Null: there is none. */
export interface BrokerPrograms {
  nats: BrokerProgram | null;
  iggy: (BrokerProgram & { connectors: string | null; libraries: string | null }) | null;
}

/** How people get the server of each driver. */
const SERVERS = {
  nats: { program: 'nats-server', variable: 'NATS_SERVER_BIN', command: 'npm run broker:nats' },
  iggy: { program: 'iggy-server', variable: 'IGGY_SERVER_BIN', command: 'npm run broker:iggy' },
} as const;
type ServedDriver = keyof typeof SERVERS;

/**
 * Finds the programs of brokers, and checks those that the settings name or that new deployments use.
 * @throws StartRefused
 */
export async function requireBrokerPrograms(settings: BrokerProgramSettings): Promise<BrokerPrograms> {
  const libraries = findIggyLibraries(settings.LANDLORD_DATA_DIR);
  const nats = await requireServer('nats', settings, findNatsServer, null);
  const iggy = await requireServer('iggy', settings, findIggyServer, libraries);
  if (iggy?.release) requireProven(iggy.path, iggy.release, settings);
  const connectors = await requireConnectors(settings, iggy?.path ?? null);
  return { nats, iggy: iggy && { ...iggy, connectors, libraries } };
}

async function requireServer(
  driver: ServedDriver,
  settings: BrokerProgramSettings,
  find: (hints: BinaryHints) => Promise<string | null>,
  libraries: string | null,
): Promise<BrokerProgram | null> {
  const { program, variable, command } = SERVERS[driver];
  const { LOCAL_BROKER: wanted, LANDLORD_DATA_DIR: dataDir, searchPath } = settings;
  const given = settings[variable];
  const path = await find({ given, dataDir, path: searchPath });
  if (path === null && given) throw unusable(variable, given);
  if (path === null && wanted === driver)
    throw StartRefused.because('broker_program_missing', { driver, program, variable, command });
  if (path === null) return null;
  const isUsed = Boolean(given) || wanted === 'auto' || wanted === driver;
  return { path, release: isUsed ? await askRelease(path, program, libraries) : null };
}

async function requireConnectors(settings: BrokerProgramSettings, server: string | null): Promise<string | null> {
  const { IGGY_CONNECTORS_BIN: given } = settings;
  const path = await findIggyConnectors(given, server);
  if (path === null && given) throw unusable('IGGY_CONNECTORS_BIN', given);
  const program: BrokerProgramName = 'iggy-connectors';
  if (path !== null && given) await askRelease(path, program, findIggyLibraries(settings.LANDLORD_DATA_DIR));
  return path;
}

function requireProven(path: string, release: string, { IGGY_UNPROVEN_RELEASES: isAllowed }: BrokerProgramSettings) {
  if (isAllowed || isProvenIggy(release)) return;
  throw StartRefused.because('broker_release_unproven', { path, release, line: PROVEN_IGGY_LINE });
}

function unusable(variable: string, given: string): StartRefused {
  const path = resolve(given);
  const reason = existsSync(path) ? 'is not executable for the user of Landlord' : 'does not exist';
  return StartRefused.because('broker_program_unusable', { variable, path, reason });
}
