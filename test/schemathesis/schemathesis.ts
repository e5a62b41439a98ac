import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '4.32.5';
/** In the cache folder of npm packages: it survives between runs and is not committed. */
const DIRECTORY = join(import.meta.dirname, '../../node_modules/.cache/schemathesis');
const PROGRAM = join(DIRECTORY, VERSION, process.platform === 'win32' ? 'Scripts' : 'bin', 'schemathesis');

/** Installs the program from its package index; returns the reason if this is not possible. */
export async function installSchemathesis(): Promise<string | null> {
  if (existsSync(PROGRAM)) return null;
  if (spawnSync('python3', ['--version']).status !== 0) return 'there is no python3';
  const environment = join(DIRECTORY, VERSION);
  try {
    await promisify(execFile)('python3', ['-m', 'venv', environment]);
    const pip = join(PROGRAM, '../pip');
    await promisify(execFile)(pip, ['install', '--quiet', `schemathesis==${VERSION}`]);
    return null;
  } catch (error) {
    return `it cannot be installed: ${String((error as { stderr?: string }).stderr ?? error).slice(0, 300)}`;
  }
}

export interface SchemathesisRun {
  document: string;
  url: string;
  key: string;
  /** File with the ids by operation and the headers of a session. */
  places: string;
  seed: number;
  seconds: number;
  report: string;
}

/** Runs all checks against a document; returns the exit code and the output. */
export function runSchemathesis(run: SchemathesisRun): Promise<{ code: number | null; output: string }> {
  const args = [
    ...['--config-file', join(import.meta.dirname, 'schemathesis.toml')],
    ...['run', run.document, '--url', run.url, '--header', `ld-api-key: ${run.key}`],
    ...['--checks', 'all', '--phases', 'coverage,fuzzing', '--seed', String(run.seed)],
    ...['--max-time', String(run.seconds), '--continue-on-failure', '--no-shrink', '--workers', '1'],
    ...['--suppress-health-check', 'all', '--report', 'json', '--report-json-path', run.report],
    ...['--request-timeout', '70', '--exclude-path-regex', EXCLUDED.join('|')],
  ];
  const env = {
    ...process.env,
    SCHEMATHESIS_HOOKS: 'hooks',
    PYTHONPATH: import.meta.dirname,
    LANDLORD_PLACES: run.places,
  };
  return new Promise((settle) => {
    // The program writes its results below its working directory.
    const child = spawn(PROGRAM, args, { cwd: dirname(run.report), env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    child.on('close', (code) => settle({ code, output }));
  });
}

/** Routes that end the session of the run, and a stream without an end. */
const EXCLUDED = ['^/account/(sign_out|sessions|password)$', '/logs/stream$', '/membership$'];
