import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartRefused } from '@libs/domain/starts';

const ASK_TIMEOUT_MS = 10_000;
/** The code with which the loader of programs ends a program whose libraries are missing. */
const NOT_LOADED = 127;
const MISSING_LIBRARY = /error while loading shared libraries: ([^:\s]+):/;
const MOST_SHOWN = 60;

/** The answers of the programs to `--version`. iggy-server calls itself `server`. */
const ANSWERS = {
  'nats-server': /^nats-server: v?(\d+\.\d+\.\d+\S*)/,
  'iggy-server': /^(?:iggy-)?server (\d+\.\d+\.\d+\S*)/,
  'iggy-connectors': /^iggy-connectors (\d+\.\d+\.\d+\S*)/,
};
export type BrokerProgramName = keyof typeof ANSWERS;

interface Failure {
  code?: number | string | null;
  killed?: boolean;
  stderr?: string;
}

/**
 * The release that a program reports. The program gets no environment except these libraries, as on a node: an agent gets
 * nothing of this process's environment, so its LD_LIBRARY_PATH must not count here either.
 * @throws StartRefused
 */
export async function askRelease(path: string, program: BrokerProgramName, libraries: string | null): Promise<string> {
  const env = libraries === null ? {} : { LD_LIBRARY_PATH: libraries };
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: ASK_TIMEOUT_MS, env }).catch(
    (cause: unknown) => {
      throw refusalOf(path, program, cause as Failure);
    },
  );
  const [, release] = ANSWERS[program].exec(stdout) ?? [];
  if (release === undefined) throw foreign(path, program, `it says "${stdout.trim().slice(0, MOST_SHOWN)}"`);
  return release;
}

function refusalOf(path: string, program: BrokerProgramName, failure: Failure): StartRefused {
  const { code, killed, stderr = '' } = failure;
  const [, library] = MISSING_LIBRARY.exec(stderr) ?? [];
  if (code === NOT_LOADED && library !== undefined)
    return StartRefused.because('broker_library_missing', { path, library }, { cause: failure });
  if (killed) return foreign(path, program, `it does not end within ${ASK_TIMEOUT_MS / 1000} seconds`);
  return typeof code === 'number'
    ? foreign(path, program, `it ends with exit code ${code}`)
    : foreign(path, program, `it cannot be run (${code ?? 'killed'})`);
}

const foreign = (path: string, program: BrokerProgramName, reason: string): StartRefused =>
  StartRefused.because('broker_program_foreign', { path, program, reason });
