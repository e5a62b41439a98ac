import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { NodeSpec } from '@libs/domain';
import { natsValues } from '@libs/broker-config';
import { BrokerError } from '../../control/broker-error.js';
import type { BrokerContact, BrokerRuntime, GateState, RenderedBroker } from '../../control/broker-runtime.js';
import { canonicalHash } from '../../os/canonical-hash.js';
import { copyWhileStopped } from '../../control/copy-while-stopped.js';
import type { Inlet } from '../../control/inlet.js';
import { spawnDetached, type Started } from '../../control/spawn-detached.js';
import { openCipher } from '../encryption/sealed-data.js';
import { GATE_FILES, GateControl } from '../../gate/gate-control.js';
import { frozenDirectory, nodeFlag, type NodeHome } from '../../control/node-home.js';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import { endProcesses, signalProcesses } from '../../os/end-processes.js';
import { pidsWith } from '../../os/process-table.js';
import { until } from '../../os/until.js';
import { keepUnacknowledged } from './ack-floors.js';
import { checkNatsConfig } from './nats-check.js';
import { clientAccount, natsConfig, natsConfigText } from './nats-config.js';
import { NATS_FILES } from './nats-files.js';
import { monitorPassword } from './nats-monitor.js';
import { natsGateConfig, natsGatePart, type NatsGateConfig, type NatsGatePart } from './nats-gate-config.js';
// Imports only the type, so that the gate is compiled but never loaded into the agent.
import type { NatsGateEntry } from './nats-gate.main.js';
import { NatsUpstream } from './nats-upstream.js';
import { StreamKeys } from './stream-keys.js';

const ENTRY: { path: string; main?: NatsGateEntry } = {
  path: fileURLToPath(new URL('./nats-gate.main.js', import.meta.url)),
};

/** Limit for the other nodes to take over what this node leads, in milliseconds. nats-server itself waits for one second. */
const HAND_OVER_MS = 2_500;

/** The configuration of both processes of a node. */
interface Prepared {
  hash: string;
  gate: NatsGatePart;
}

/**
 * Driver `nats`: nats-server with JetStream and its MQTT listener on private ports, and a gate process in front of it with the
 * public ports. For the agent they are one broker, which is present when both run.
 */
export class NatsRuntime implements BrokerRuntime {
  readonly driver = 'nats';
  readonly gate = 'process';
  readonly inlet: Inlet = { role: 'gate' };

  constructor(
    /** Absolute path of nats-server. Null on a node without it. */
    private readonly binary: string | null,
    private readonly gateEntry: string = ENTRY.path,
  ) {}

  dataDirectory(home: NodeHome): string {
    return NATS_FILES.data(home);
  }

  logFile(home: NodeHome): string {
    return NATS_FILES.brokerLog(home);
  }

  logFiles(home: NodeHome): string[] {
    return [NATS_FILES.brokerLog(home), GATE_FILES.log(home)];
  }

  users(spec: NodeSpec): string[] {
    return [spec.credentials.username];
  }

  render(home: NodeHome, spec: NodeSpec): RenderedBroker {
    const config = natsConfig(home, spec, natsValues(spec.broker.config.values));
    const { restart, version, limits } = spec.broker;
    // A change of the node's size needs a restart, also when only the memory grew.
    const hash = canonicalHash({ config, gate: natsGatePart(spec), restart, version, ...(limits && { limits }) });
    return { content: natsConfigText(config, hash), hash };
  }

  async check(home: NodeHome, spec: NodeSpec): Promise<void> {
    const file = NATS_FILES.candidate(home);
    await writePrivateFile(file, this.render(home, spec).content);
    try {
      await checkNatsConfig(this.server(), file, [
        clientAccount(spec).password,
        spec.cluster.secret,
        monitorPassword(spec),
        ...(spec.broker.encryption ? [spec.broker.encryption.key] : []),
      ]);
    } finally {
      await rm(file, { force: true });
    }
  }

  async start(home: NodeHome, spec: NodeSpec, gate: GateState): Promise<Started> {
    await mkdir(NATS_FILES.data(home), { recursive: true, mode: 0o700 });
    // Before nats-server sees the data: with another key it would start without its streams.
    await openCipher({ data_dir: NATS_FILES.data(home), ...spec.broker });
    await mkdir(NATS_FILES.ports(home), { recursive: true, mode: 0o700 });
    const prepared = await this.prepare(home, spec);
    const config = natsGateConfig(home, prepared.gate, gate, prepared.hash, spec);
    const gateStarted = await this.gateOf(home).ensure(config, gate);
    const serverStarted = await this.ensureServer(home, prepared, spec);
    const started = [serverStarted, gateStarted].filter((one) => one !== null);
    // Reports only the end of processes that this call started. The agent watches the others.
    return { pid: started[0]?.pid ?? 0, exited: Promise.race(started.map(({ exited }) => exited)) };
  }

  async contact(home: NodeHome): Promise<BrokerContact | null> {
    const contact = await this.gateOf(home).contact();
    // Copies that a broken disk keeps are no reason to end a server that works. The next look tries again.
    if (contact?.ready)
      await streamKeys(home)
        .forget()
        .catch(() => undefined);
    return contact;
  }

  applyGate(home: NodeHome, gate: GateState): Promise<void> {
    return this.gateOf(home).apply(gate);
  }

  async freeze(home: NodeHome): Promise<void> {
    await mkdir(this.dataDirectory(home), { recursive: true, mode: 0o700 });
    await copyWhileStopped(serverArgs(home), { from: this.dataDirectory(home), to: frozenDirectory(home) });
    await streamKeys(home).putBack(frozenDirectory(home));
  }

  async thaw(home: NodeHome): Promise<void> {
    await signalProcesses(serverArgs(home), 'SIGCONT');
  }

  /** The order of such a deployment is refused, because nats-server cannot encrypt its data again. */
  async adopt(_home: NodeHome, _directory: string, { broker: { encryption } }: NodeSpec): Promise<void> {
    if (encryption?.source) throw new BrokerError('nats-server cannot encrypt its data under another key');
  }

  stats(home: NodeHome): Promise<Record<string, number>> {
    return this.gateOf(home).stats();
  }

  async stop(home: NodeHome, deadlineMs: number): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    // Stops the gate first: a disconnected client that reconnects finds a closed port instead of a stopping broker.
    await this.gateOf(home).stop();
    await handOver(home, Math.min(deadlineMs, HAND_OVER_MS));
    await endProcesses(serverArgs(home), { graceMs: Math.max(0, deadline - Date.now()) });
    await this.kill(home);
  }

  async kill(home: NodeHome): Promise<void> {
    await this.gateOf(home).kill();
    await endProcesses(serverArgs(home), { graceMs: 0 });
  }

  /**
   * Writes the server's configuration if it is valid. Otherwise the last one stays. So a broker that dies under a refused
   * configuration restarts with its previous one, and the agent sees by the hash that it is not the wanted one. Throws
   * BrokerError when there is neither.
   */
  private async prepare(home: NodeHome, spec: NodeSpec): Promise<Prepared> {
    try {
      await this.check(home, spec);
    } catch (refusal) {
      const last = await this.gateOf(home).lastConfig<NatsGateConfig>();
      if (last === null || (await readFileIfAny(NATS_FILES.config(home))) === null) throw refusal;
      return { hash: last.config_hash, gate: last };
    }
    const { content, hash } = this.render(home, spec);
    await writePrivateFile(NATS_FILES.config(home), content);
    return { hash, gate: natsGatePart(spec) };
  }

  private async ensureServer(home: NodeHome, { hash }: Prepared, spec: NodeSpec): Promise<Started | null> {
    const upstream = new NatsUpstream(home, spec.cluster.size, monitorPassword(spec));
    const running = await upstream.report().catch(() => null);
    await upstream.close();
    if (running?.configHash === hash) return null;
    // Two servers on one store would damage it.
    await endProcesses(serverArgs(home), { graceMs: 0 });
    if (spec.broker.encryption) await streamKeys(home).keep(NATS_FILES.data(home));
    // Nodes of a cluster do not run the check that this call disarms.
    if (spec.cluster.size === 1) await keepUnacknowledged(NATS_FILES.data(home), spec.broker.encryption?.key ?? null);
    // Another process may have the stored port of a dead server.
    await rm(NATS_FILES.ports(home), { recursive: true, force: true });
    await mkdir(NATS_FILES.ports(home), { mode: 0o700 });
    return spawnDetached(this.server(), serverArgs(home), home.dir, NATS_FILES.brokerLog(home));
  }

  private gateOf(home: NodeHome): GateControl {
    return new GateControl(home, this.gateEntry);
  }

  private server(): string {
    if (this.binary !== null) return this.binary;
    throw new BrokerError('this node has no nats-server: run "npm run broker:nats" or set NATS_SERVER_BIN');
  }
}

const streamKeys = (home: NodeHome): StreamKeys => new StreamKeys(NATS_FILES.streamKeys(home));

/** nats-server refuses unknown arguments, so the node's flag is passed as its name. The process is found by it. */
function serverArgs(home: NodeHome): string[] {
  return ['-c', NATS_FILES.config(home), '--name', nodeFlag(home)];
}

/**
 * The lame duck mode of nats-server: it gives the lead of each stream, and of the cluster, to other nodes, and ends. Without it the
 * other nodes notice the end only after four to nine seconds, and no client can sign in until then.
 */
async function handOver(home: NodeHome, limitMs: number): Promise<void> {
  await signalProcesses(serverArgs(home), 'SIGUSR2');
  await until(async () => (await pidsWith(serverArgs(home))).length === 0, { timeoutMs: limitMs });
}
