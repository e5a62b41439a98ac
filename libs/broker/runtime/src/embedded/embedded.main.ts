import { parseArgs } from 'node:util';
import { BrokerError } from '../broker-error.js';
import { reasonOf, JsonLog } from '../json-log.js';
import { readEmbeddedConfig } from './embedded-config.js';
import { EmbeddedProcess } from './embedded-process.js';

/** Entry of the embedded broker's process. Started by path, so its last line on stderr is what the agent reports. */
async function main(): Promise<void> {
  const options = { config: { type: 'string' }, 'landlord-node': { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const config = await readEmbeddedConfig(values.config ?? '');
  const log = new JsonLog({ node: config.node_id, process: 'broker' });
  const broker = new EmbeddedProcess(config, log);
  process.once('SIGTERM', () => broker.stop());
  process.once('SIGINT', () => broker.stop());
  await broker.start();
}

/** The reason comes last, below any stack: it is what the agent reports. */
function fail(error: unknown): never {
  if (error instanceof Error && !(error instanceof BrokerError)) process.stderr.write(`${error.stack}\n`);
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}

process.on('uncaughtException', fail);
main().catch(fail);

/** Keeps this file in the build of whoever starts it by path. */
export type EmbeddedEntry = typeof main;
