import { execFile } from 'node:child_process';
import { appendFile, mkdir, rm, symlink } from 'node:fs/promises';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { BrokerError } from '../../../control/broker-error.js';
import { spawnDetached, type Started } from '../../../control/spawn-detached.js';
import { linkMemoryFolder } from '../../encryption/memory-folder.js';
import { writePrivateFile } from '../../../os/private-file.js';
import { ENCRYPTION_KEY } from '../config/iggy-config.js';
import { SERVER_FILES } from '../iggy-files.js';
import { STARTED } from './iggy-messages.js';

const VERSION_TIMEOUT_MS = 10_000;

/** The program of the server on this machine. */
export interface ServerProgram {
  /** Absolute path of iggy-server. */
  path: string;
  /** Folders of shared libraries in the form of LD_LIBRARY_PATH. Absent: those of the system. */
  libraries?: string | undefined;
}

/** The files and the directory of one server process. */
export interface ServerPlace {
  /** The name of the process in the list of processes. */
  name: string;
  /** The working directory. The server loads a file `.env` there or above. */
  dir: string;
  data: string;
  config: string;
  environment: string;
  output: string;
  /** Folder in memory for the runtime files of an encrypted server. */
  memory: string;
  /** The id of the server in its cluster. Null without a cluster. */
  replica: number | null;
}

/**
 * Starts the server, detached. The files must exist: without them the server starts with settings of its own. Deletes the reported
 * configuration first, so that its presence proves that the new process has opened its listeners.
 */
export async function startServer(program: ServerProgram, place: ServerPlace, files: RenderedFiles): Promise<Started> {
  await mkdir(place.data, { recursive: true, mode: 0o700 });
  await writePrivateFile(place.config, files.config);
  await writePrivateFile(place.environment, files.environment);
  await makeRuntime(place, files);
  await rm(SERVER_FILES.reported(place.data), { force: true });
  await appendFile(place.output, `${STARTED}\n`, { mode: 0o600 });
  const args = place.replica === null ? [] : ['--replica-id', String(place.replica)];
  const env = {
    IGGY_CONFIG_PATH: place.config,
    IGGY_ENV_PATH: place.environment,
    ...environmentOf(program),
  };
  return spawnDetached(program.path, args, place.dir, place.output, { argv0: place.name, env, logsItself: true });
}

/**
 * The server writes its whole configuration there, with the key. Its snapshot contains only a configuration at `SERVER_FILES.shown`, so the
 * snapshot of an encrypted server has none.
 */
async function makeRuntime({ data, memory }: ServerPlace, { environment }: RenderedFiles): Promise<void> {
  const runtime = SERVER_FILES.runtime(data);
  if (environment.includes(ENCRYPTION_KEY)) return linkMemoryFolder(runtime, memory);
  await mkdir(runtime, { recursive: true, mode: 0o700 });
  await rm(SERVER_FILES.shown(data), { force: true });
  await symlink(relative(runtime, SERVER_FILES.reported(data)), SERVER_FILES.shown(data));
}

/** The content of both files. */
export interface RenderedFiles {
  config: string;
  environment: string;
}

/** The release that the program reports, such as `0.8.0`. Throws BrokerError with the reason when it does not run. */
export async function releaseOf(program: ServerProgram): Promise<string> {
  const options = { env: environmentOf(program), timeout: VERSION_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)(program.path, ['--version'], options).catch((error: unknown) => {
    throw new BrokerError(`iggy-server cannot be run: ${whyNot(error)}`);
  });
  const [, release] = /^server (\d+\.\d+\.\d+\S*)/m.exec(stdout) ?? [];
  if (release === undefined) throw new BrokerError(`${program.path} is not an iggy-server`);
  return release;
}

const environmentOf = ({ libraries }: ServerProgram): NodeJS.ProcessEnv =>
  libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries };

function whyNot(error: unknown): string {
  const { code, stderr = '' } = error as { code?: string | number; stderr?: string };
  const [, library] = /loading shared libraries: (\S+):/.exec(stderr) ?? [];
  if (library !== undefined) return `the library ${library} is missing`;
  return stderr.trim().split('\n').at(-1) || `${code ?? 'unknown'}`;
}
