import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MachineRefused, runMachineAgent } from '@libs/machine-agent';

/** Entry point of a machine's agent. A dependency rule keeps it small: it cannot import NestJS, TypeORM, pg or BullMQ. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { dir: { type: 'string' } } });
  const end = new AbortController();
  process.once('SIGTERM', () => end.abort());
  process.once('SIGINT', () => end.abort());
  await runMachineAgent({ dir: resolve(values.dir ?? '.'), signal: end.signal });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof MachineRefused ? error.exitCode : 1);
  },
);
