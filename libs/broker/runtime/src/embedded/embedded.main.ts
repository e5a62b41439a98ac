import { parseArgs } from 'node:util';
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

main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
});

/** Keeps this file in the build of whoever starts it by path. */
export type EmbeddedEntry = typeof main;
