import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { outliveOutages, sayLast } from '@libs/domain/starts';
import { ACCEPTED } from './upgrade/program-trial.js';
import { MachineRefused } from './machine-refused.js';
import { runMachineAgent } from './machine-agent.js';

/** Entry point of a machine's agent. A dependency rule keeps it small: it cannot import NestJS, TypeORM, pg or BullMQ. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { dir: { type: 'string' } } });
  const end = new AbortController();
  process.once('SIGTERM', () => end.abort());
  process.once('SIGINT', () => end.abort());
  // On trial: another machine agent has started this one, and ends it.
  process.once('disconnect', () => end.abort());
  // The other one can have died while this file was loaded. Then the event was before the line above.
  if (process.connected === false) end.abort();
  await runMachineAgent({
    dir: resolve(values.dir ?? '.'),
    entry: fileURLToPath(import.meta.url),
    signal: end.signal,
    onStatusAccepted: () => process.send?.(ACCEPTED),
  });
}

// The agent's next attempt finds the disk as it is then.
outliveOutages((error) => sayLast(`a failure of the disk or of a connection reached no caller: ${error.message}`));

main().then(
  () => process.exit(0),
  (error: unknown) => {
    sayLast(error instanceof Error ? error.message : String(error));
    process.exit(error instanceof MachineRefused ? error.exitCode : 1);
  },
);
