import { runNodeProcess } from '../../../control/run-node-process.js';
import { readGateConfig } from '../../../gate/gate-config.js';
import { GateProcess } from '../../../gate/gate-process.js';
import { ClientLogins } from '../../../gate/logins/client-logins.js';
import { JsonLog } from '../../../os/json-log.js';
import { IggyListeners } from './iggy-listeners.js';
import type { IggyGateConfig } from './iggy-gate-config.js';
import { IggyUpstream } from './iggy-upstream.js';

/** The gate in front of iggy-server. */
async function main(configFile: string): Promise<GateProcess> {
  const config = await readGateConfig<IggyGateConfig>(configFile);
  const home = { dir: config.dir, installation: config.installation, nodeId: config.node_id };
  const logins = new ClientLogins(config.gate.credentials);
  const upstream = new IggyUpstream(home, config.server, config.secrets, logins);
  const log = new JsonLog({ node: config.node_id, process: 'gate' });
  return new GateProcess(config, upstream, new IggyListeners(config, upstream, logins), log);
}

runNodeProcess(main);

/** The parent process starts this file by path. The type import keeps it in the build. */
export type IggyGateEntry = typeof main;
