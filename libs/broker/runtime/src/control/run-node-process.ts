import { parseArgs } from 'node:util';
import { BrokerError } from '../broker-error.js';
import { reasonOf } from '../json-log.js';

/** What a process of a node is there for. */
export interface NodeProcess {
  start(): Promise<void>;
  /** Asks it to end; the process follows. */
  stop(): void;
}

/**
 * The way of every process that an agent starts by path: made from the file that `--config` names, stopped by SIGTERM.
 * Its last line on stderr is what the agent reports.
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

/** The reason comes last, below any stack. */
function fail(error: unknown): never {
  if (error instanceof Error && !(error instanceof BrokerError)) process.stderr.write(`${error.stack}\n`);
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}
