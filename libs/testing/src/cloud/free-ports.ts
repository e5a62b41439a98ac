import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runDirectory } from '../postgres/create-test-database.js';

/**
 * Below the ephemeral range: any connection of this machine may take a port of that one before somebody listens. Each
 * worker of Vitest has its own: what one stops for a moment and starts again on its port would be taken by another.
 */
const WORKERS = 4;
const COUNT = 600;
/** A suite that runs beside another counts its workers from where that one ends. */
const BEFORE = Number(process.env['TEST_FIRST_WORKER'] ?? 1) - 1;
const WORKER = (Number(process.env['VITEST_POOL_ID'] ?? 0) + BEFORE) % WORKERS;
const FIRST = 30_000 + WORKER * COUNT;

/** Of the nodes of a cloud. The run beside another has the last ones. */
const PORTS_OF_A_CLOUD = 60;
const [FIRST_SLICE, SLICES] = BEFORE === 0 ? [20_000, 110] : [26_600, 40];

/** So many free ports of the loopback, distinct. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * A range for the nodes of a cloud. Two clouds never share one: who deletes a node waits until its port is closed, and would
 * wait for the node of the other. Ranges come in turn, so one comes again when its cloud has ended long ago.
 */
export function nextPortRange(): string {
  const folder = join(runDirectory(), 'ports');
  mkdirSync(folder, { recursive: true });
  let turn = readdirSync(folder).length;
  // Two workers may ask at once: of one name one of them makes the directory.
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
