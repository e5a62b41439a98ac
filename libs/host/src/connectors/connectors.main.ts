import { runNodeProcess } from '../control/run-node-process.js';
import { JsonLog } from '../os/json-log.js';
import { readConnectorsConfig } from './connectors-config.js';
import { ConnectorsProcess } from './connectors-process.js';

/** The process of a node's connectors. */
async function main(configFile: string): Promise<ConnectorsProcess> {
  const config = await readConnectorsConfig(configFile);
  return new ConnectorsProcess(config, new JsonLog({ node: config.node_id, process: 'connectors' }));
}

runNodeProcess(main);

/** The parent process starts this file by path. The type import keeps it in the build. */
export type ConnectorsEntry = typeof main;
