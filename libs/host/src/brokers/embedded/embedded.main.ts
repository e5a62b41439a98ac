import { runNodeProcess } from '../../control/run-node-process.js';
import { JsonLog } from '../../os/json-log.js';
import { readEmbeddedConfig } from './embedded-config.js';
import { EmbeddedProcess } from './embedded-process.js';

/** The embedded broker's process. */
async function main(configFile: string): Promise<EmbeddedProcess> {
  const config = await readEmbeddedConfig(configFile);
  return new EmbeddedProcess(config, new JsonLog({ node: config.node_id, process: 'broker' }));
}

runNodeProcess(main);

/** The parent process starts this file by path. The type import keeps it in the build. */
export type EmbeddedEntry = typeof main;
