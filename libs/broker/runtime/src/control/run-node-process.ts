import { parseArgs } from 'node:util';
import { BrokerError } from '../broker-error.js';
import { reasonOf } from '../json-log.js';

/** A process of a node. */
export interface NodeProcess {
  start(): Promise<void>;
  /** Requests the end of the process. */
  stop(): void;
}

/**
 * The entry point of every process that an agent starts by path. Reads the file from `--config` and stops on SIGTERM. The agent
 * reports its last line on stderr.
 */
export function runNodeProcess(make: (configFile: string) => Promise<NodeProcess>): void {
  process.on('uncaughtException', fail);
  run(make).catch(fail);
}

async function run(make: (configFile: string) => Promise<NodeProcess>): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' }, 'landlord-node': { type: 'string' } } });
  const made = await make(values.config ?? '');
  process.once('SIGTERM', () => made.stop());
  process.once('SIGINT', () => made.stop());
  await made.start();
}

/** The reason is the last line, after any stack. */
function fail(error: unknown): never {
  if (error instanceof Error && !(error instanceof BrokerError)) process.stderr.write(`${error.stack}\n`);
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}
