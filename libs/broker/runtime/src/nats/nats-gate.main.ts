import { parseArgs } from 'node:util';
import { BrokerError } from '../broker-error.js';
import { readGateConfig } from '../gate/gate-config.js';
import { GateProcess } from '../gate/gate-process.js';
import { JsonLog, reasonOf } from '../json-log.js';
import type { NatsGateConfig } from './nats-gate-config.js';
import { NatsUpstream } from './nats-upstream.js';

/** Entry of the gate in front of nats-server. Its last line on stderr is what the agent reports. */
async function main(): Promise<void> {
  const options = { config: { type: 'string' }, 'landlord-node': { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const config = await readGateConfig<NatsGateConfig>(values.config ?? '');
  const place = { dir: config.dir, installation: config.installation, nodeId: config.node_id };
  const log = new JsonLog({ node: config.node_id, process: 'gate' });
  const gate = new GateProcess(config, new NatsUpstream(place, config.cluster_size), log);
  process.once('SIGTERM', () => gate.stop());
  process.once('SIGINT', () => gate.stop());
  await gate.start();
}

/** The reason comes last, below any stack. */
function fail(error: unknown): never {
  if (error instanceof Error && !(error instanceof BrokerError)) process.stderr.write(`${error.stack}\n`);
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}

process.on('uncaughtException', fail);
main().catch(fail);

/** Keeps this file in the build of whoever starts it by path. */
export type NatsGateEntry = typeof main;
