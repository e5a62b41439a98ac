// The measured process: a supervisor with the role of a gateway, on its own core.
import { spawnSync } from 'node:child_process';
import { freePort } from '../free-port.mjs';

const GATEWAY_CORE = 0;
/** Descriptors that a process needs in addition to the connections of its agents. */
const OTHER_DESCRIPTORS = 600;

/** Starts a supervisor with only the role of a gateway. */
export async function startGateway(world) {
  const [apiPort, port] = [await freePort(), await freePort()];
  const child = await world.serve(
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
    },
    `http://127.0.0.1:${apiPort}/health/ready`,
    { core: GATEWAY_CORE },
  );
  return { pid: child.pid, port };
}

/**
 * Number of agents that can keep both connections; the other agents open one connection per status. Node raises the
 * soft limit automatically.
 */
export function pairsWithin(agents) {
  const limit = Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout) || Infinity;
  const pairs = Math.max(0, Math.min(agents, limit - OTHER_DESCRIPTORS - agents));
  if (agents + OTHER_DESCRIPTORS > limit)
    throw new Error(`${agents} agents need more open files than ${limit}: raise the limit (ulimit -Hn), or take fewer`);
  return pairs;
}
