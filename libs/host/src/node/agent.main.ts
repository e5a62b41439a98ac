import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { outliveOutages, sayLast } from '@libs/domain/starts';
import { runNodeAgent } from './node-agent.js';

/** Entry point of a node's agent. A dependency rule keeps it small: it cannot import NestJS, TypeORM, pg or BullMQ. */
async function main(): Promise<void> {
  const options = { dir: { type: 'string' }, 'landlord-node': { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const end = new AbortController();
  process.once('SIGTERM', () => end.abort());
  process.once('SIGINT', () => end.abort());
  await runNodeAgent({ dir: resolve(values.dir ?? '.'), node: values['landlord-node'] ?? '', signal: end.signal });
}

// The agent's next attempt finds the disk as it is then.
outliveOutages((error) => sayLast(`a failure of the disk or of a connection reached no caller: ${error.message}`));

main().then(
  () => process.exit(0),
  (error: unknown) => {
    sayLast(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
