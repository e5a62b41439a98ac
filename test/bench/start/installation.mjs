// `npm start` in a directory of its own, until it says that it is ready.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../free-port.mjs';
import { cpuWithEnded } from './process-tree.mjs';

const READY = 'Landlord is running.';
/** A build on a busy machine takes minutes. */
const READY_MS = 600_000;

/** Free ports for an installation. A second start keeps them, as a real one does. */
export async function chooseSettings(dataDir) {
  const [api, supervisor, gateway] = [await freePort(), await freePort(), await freePort()];
  return {
    LANDLORD_DATA_DIR: dataDir,
    MAIN_API_PORT: String(api),
    SUPERVISOR_PORT: String(supervisor),
    GATEWAY_PORT: String(gateway),
  };
}

/** Starts Landlord as a user does. Returns the seconds to the line that it is ready, and the CPU seconds of all processes. */
export async function startInstallation(settings) {
  const begin = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  try {
    await untilReady(child);
  } catch (error) {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    throw error;
  }
  const seconds = (performance.now() - begin) / 1000;
  return {
    pid: child.pid,
    seconds,
    cpuSeconds: cpuWithEnded(child.pid) / 1e6,
    /** Ends as Ctrl-C does. */
    async stop() {
      const ended = child.exitCode === null ? once(child, 'exit') : null;
      process.kill(-child.pid, 'SIGINT');
      await ended;
    },
  };
}

async function untilReady(child) {
  let output = '';
  const ready = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        if (output.includes(READY)) resolve();
      });
    child.once('exit', (code) => reject(new Error(`npm start ended (${code}):\n${output}`)));
    setTimeout(() => reject(new Error(`npm start is not ready:\n${output}`)), READY_MS).unref();
  });
  await ready;
}
