import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runDirectory } from '../postgres/create-test-database.js';

/**
 * Below the ephemeral range. A connection of this machine may take a port of that range before a process listens. Each worker
 * of Jest has its own range. Otherwise another worker could take the port of a process that restarts.
 */
const WORKERS = 8;
const COUNT = 300;
/** A suite that runs next to another numbers its workers after those of the other (scripts/suites/parts.mjs). */
const BEFORE = Number(process.env['TEST_FIRST_WORKER'] ?? 1) - 1;
const WORKER = (Number(process.env['JEST_WORKER_ID'] ?? 0) + BEFORE) % WORKERS;
const FIRST = 30_000 + WORKER * COUNT;

/** Ports for the nodes of one cloud. A suite that runs next to another has ranges of its own. */
const PORTS_OF_A_CLOUD = 60;
const [FIRST_SLICE, SLICES] = slicesOf(BEFORE);

/** Ports are used in turn. Random ports would sometimes give two processes of one test the same port. */
let nextPort = Math.floor(Math.random() * COUNT);

function slicesOf(before: number): [first: number, count: number] {
  if (before === 0) return [20_000, 90];
  return before < 6 ? [25_400, 30] : [27_200, 30];
}

/** `count` different free ports on the loopback. The next calls return other ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    nextPort += 1;
    const port = FIRST + (nextPort % COUNT);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * A port range for the nodes of a cloud. Two clouds never share a range: the deletion of a node waits until its port is closed,
 * and would wait for a node of the other cloud. Ranges are used in turn, so a range is reused only long after its cloud has
 * ended.
 */
export function nextPortRange(): string {
  const folder = join(runDirectory(), 'ports');
  mkdirSync(folder, { recursive: true });
  let turn = readdirSync(folder).length;
  // Two workers may run this at once. Only one of them can create the directory with a name.
  while (!isMade(join(folder, String(turn)))) turn += 1;
  const first = FIRST_SLICE + PORTS_OF_A_CLOUD * (turn % SLICES);
  return `${first}-${first + PORTS_OF_A_CLOUD - 1}`;
}

function isMade(directory: string): boolean {
  try {
    mkdirSync(directory);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
