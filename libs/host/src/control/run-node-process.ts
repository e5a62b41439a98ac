import { parseArgs } from 'node:util';
import { outageAtWork } from '@libs/domain/outages';
import { BrokerError } from './broker-error.js';
import { JsonLog, reasonOf } from '../os/json-log.js';

/** A process of a node. */
export interface NodeProcess {
  start(): Promise<void>;
  /** Requests the end of the process. */
  stop(): void;
}

/**
 * The entry point of every process that an agent starts by path. Reads the file from `--config` and stops on SIGTERM. The agent
 * reports the last line of its output. A failure of the disk or of a connection that reaches no caller ends no broker: clients are
 * connected, and the next attempt finds the disk as it is then.
 */
export function runNodeProcess(make: (configFile: string) => Promise<NodeProcess>): void {
  process.on('uncaughtException', (error) => (outageAtWork(error) === null ? fail(error) : tell(error)));
  run(make).catch(fail);
}

async function run(make: (configFile: string) => Promise<NodeProcess>): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' }, 'landlord-node': { type: 'string' } } });
  const nodeProcess = await make(values.config ?? '');
  process.once('SIGTERM', () => nodeProcess.stop());
  process.once('SIGINT', () => nodeProcess.stop());
  await nodeProcess.start();
}

function tell(error: Error): void {
  new JsonLog({}).warn('a failure of the disk or of a connection reached no caller', { reason: error.message });
}

/** The last line of the output is the reason, at the level `error`, so that a reader of the logs finds a dead process. */
function fail(error: unknown): never {
  const isUnexpected = error instanceof Error && !(error instanceof BrokerError);
  new JsonLog({}).error(reasonOf(error), isUnexpected ? { stack: error.stack } : {});
  process.exit(1);
}
