import { runNodeProcess } from '../../control/run-node-process.js';
import { readGateConfig } from '../../gate/gate-config.js';
import { ClientNotices } from '../../gate/clients/client-notices.js';
import { GateProcess } from '../../gate/gate-process.js';
import { MqttListeners } from '../../gate/mqtt/mqtt-listeners.js';
import { JsonLog } from '../../os/json-log.js';
import type { NatsGateConfig } from './nats-gate-config.js';
import { NatsUpstream } from './nats-upstream.js';

/** The gate in front of nats-server. */
async function main(configFile: string): Promise<GateProcess> {
  const config = await readGateConfig<NatsGateConfig>(configFile);
  const home = { dir: config.dir, installation: config.installation, nodeId: config.node_id };
  const log = new JsonLog({ node: config.node_id, process: 'gate' });
  const upstream = new NatsUpstream(home, config.cluster_size, config.monitor_password);
  return new GateProcess(config, upstream, new MqttListeners(config, upstream, new ClientNotices(log)), log);
}

runNodeProcess(main);

/** The parent process starts this file by path. The type import keeps it in the build. */
export type NatsGateEntry = typeof main;
