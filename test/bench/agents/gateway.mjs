// The measured process: a supervisor with the role of a gateway, on its own core.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { freePort } from '../free-port.mjs';

const GATEWAY_CORE = 0;
/** Descriptors that a process needs in addition to the connections of its agents. */
const OTHER_DESCRIPTORS = 600;

/**
 * Starts a supervisor with only the role of a gateway, with TLS when there is a certificate. `restart` kills the process and starts
 * another one at the same port.
 */
export async function startGateway(world, certificate, { core = GATEWAY_CORE } = {}) {
  const ports = { apiPort: await freePort(), port: await freePort() };
  let child = await serve(world, ports, certificate, core);
  return {
    get pid() {
      return child.pid;
    },
    port: ports.port,
    async restart() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      child = await serve(world, ports, certificate, core);
    },
    stop: () => child.kill('SIGKILL'),
  };
}

function serve(world, { apiPort, port }, certificate, core) {
  return world.serve(
    'dist/apps/supervisor/src/main.js',
    {
      DATABASE_URL: world.installation.role_urls.supervisor,
      LANDLORD_ROLE: 'gateway',
      SUPERVISOR_CELL: 'bench',
      SUPERVISOR_PORT: String(apiPort),
      GATEWAY_PORT: String(port),
      LANDLORD_SECRET_KEYS: world.secretKeys,
      LANDLORD_DATA_DIR: world.dataDir,
      LOCAL_BROKER: 'embedded',
      LOG_LEVEL: 'warn',
      ...(certificate && tlsFiles(world, certificate)),
    },
    certificate ? () => answersTls(apiPort) : `http://127.0.0.1:${apiPort}/health/ready`,
    { core: core ?? undefined },
  );
}

function tlsFiles({ dataDir }, { cert, key }) {
  const files = { TLS_CERT: join(dataDir, 'gateway.crt'), TLS_KEY: join(dataDir, 'gateway.key') };
  writeFileSync(files.TLS_CERT, cert);
  writeFileSync(files.TLS_KEY, key);
  return files;
}

/** The certificate is signed by itself, so `fetch` would refuse the answer. */
const answersTls = (port) =>
  new Promise((settle, fail) => {
    const options = { port, host: '127.0.0.1', path: '/health/ready', rejectUnauthorized: false };
    get(options, (response) => response.resume().once('end', settle)).once('error', fail);
  });

/**
 * Number of agents that can keep both connections; the other agents open one connection per status. Node raises the
 * soft limit to the hard limit automatically. Only a privileged process can raise the hard limit.
 */
export function pairsWithin(agents) {
  const most = connectionsWithin();
  if (agents > most)
    throw new Error(`${agents} agents need more open files than ${most}: raise the limit (ulimit -Hn), or take fewer`);
  return Math.max(0, Math.min(agents, most - agents));
}

/** Connections that one process can keep. */
export const connectionsWithin = () =>
  (Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout) || Infinity) - OTHER_DESCRIPTORS;
