// Starts an unmodified iggy-server for tests, and for the script that writes the defaults of a release.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'smol-toml';

const POLL_MS = 20;
/** A server that does not get ready ignores SIGTERM. */
const STOP_MS = 1_000;
const LIBRARIES = join(
  import.meta.dirname,
  '../../../../.landlord/packages/libhwloc15/usr/lib',
  `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
);

/** Port 0 everywhere. The server writes its report only when it listens for HTTP. */
export const FREE_PORTS = Object.fromEntries(
  ['tcp', 'http', 'websocket', 'quic'].map((protocol) => [`${protocol}.address`, '127.0.0.1:0']),
);

/** Its own variables only: a server reads every `IGGY_*`. It needs libhwloc, which some machines lack. */
export function iggyEnvironment(variables = {}) {
  const libraries = [process.env.LD_LIBRARY_PATH, existsSync(LIBRARIES) ? LIBRARIES : undefined];
  const path = libraries.filter((entry) => entry).join(':');
  return { PATH: process.env.PATH, ...(path && { LD_LIBRARY_PATH: path }), ...variables };
}

/** The release of a binary: `server 0.8.0` gives `0.8.0`. */
export function iggyRelease(binary) {
  const answer = execFileSync(binary, ['--version'], { encoding: 'utf8', env: iggyEnvironment() });
  return answer.trim().split(/\s+/).at(-1) ?? '';
}

/** Starts the server with dotted keys on an empty directory, waits for its report, calls `during`, and stops the server. */
export async function startIggy(binary, keys, { deadlineMs = 20_000, during = async () => {} } = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'landlord-iggy-'));
  const config = join(dir, 'iggy.toml');
  await writeFile(config, stringify(nested({ ...FREE_PORTS, ...keys })));
  const root = { IGGY_ROOT_USERNAME: 'landlord-root', IGGY_ROOT_PASSWORD: 'of-this-test-only' };
  const env = iggyEnvironment({ IGGY_CONFIG_PATH: config, IGGY_ENV_PATH: join(dir, 'none.env'), ...root });
  const server = spawn(binary, [], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = { server, output: '', exit: null };
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes) => (run.output += String(bytes)));
  server.once('close', (code) => (run.exit = code ?? -1));
  try {
    const report = await reported(run, join(dir, keys['system.path'] ?? 'local_data'), deadlineMs);
    if (report) await during(report);
    return { started: report !== null, report: report ?? {}, exit: run.exit, output: run.output };
  } finally {
    await stop(server);
    await rm(dir, { recursive: true, force: true });
  }
}

/** The dotted keys of a parsed file. An array of tables is one value. */
export function dottedKeys(table, path = '') {
  return Object.entries(table).reduce((keys, [name, value]) => {
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
    return { ...keys, ...(isTable ? dottedKeys(value, `${path}${name}.`) : { [`${path}${name}`]: value }) };
  }, {});
}

/** The dotted keys of the report. Null if the server ends before it, or does not get ready. */
async function reported(run, data, deadlineMs) {
  const end = Date.now() + deadlineMs;
  while (run.exit === null && Date.now() < end) {
    const text = await readFile(join(data, 'runtime/current_config.toml'), 'utf8').catch(() => '');
    const report = parsed(text);
    if (report) return dottedKeys(report);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}

/** Null while the server writes the file. The cluster is its last section. */
function parsed(text) {
  try {
    const report = text === '' ? null : parse(text);
    return report?.cluster ? report : null;
  } catch {
    return null;
  }
}

async function stop(server) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}

function nested(keys) {
  const root = {};
  for (const [key, value] of Object.entries(keys)) {
    const path = key.split('.');
    const name = path.pop() ?? '';
    path.reduce((table, part) => (table[part] ??= {}), root)[name] = value;
  }
  return root;
}
