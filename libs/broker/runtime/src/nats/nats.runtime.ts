import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { NodeSpec } from '@libs/domain';
import { natsValues } from '@libs/broker/schema';
import { BrokerError } from '../broker-error.js';
import type { BrokerContact, BrokerRuntime, GateState, RenderedBroker } from '../broker-runtime.js';
import { canonicalHash } from '../canonical-hash.js';
import { askInstance, type Ask } from '../control/ask-instance.js';
import type { Inlet } from '../control/inlet.js';
import { spawnDetached, type Started } from '../control/spawn-detached.js';
import { gateOrder } from '../gate/gate-order.js';
import type { UpstreamReport } from '../gate/gate-upstream.js';
import { frozenDirectory, nodeFlag, type NodePlace } from '../node-place.js';
import { readFileIfAny, writePrivateFile } from '../private-file.js';
import { killProcesses, signalProcesses } from '../process-scan.js';
import type { SocketAnswer } from '../socket-request.js';
import { copyWhileStopped } from './freeze-server.js';
import { checkNatsConfig } from './nats-check.js';
import { natsConfig, natsConfigText } from './nats-config.js';
import { NATS_FILES } from './nats-files.js';
import { monitorPassword } from './nats-monitor.js';
import { natsGateConfig, natsGatePart, type NatsGateConfig, type NatsGatePart } from './nats-gate-config.js';
// Imports only the type, so that the gate is compiled but never loaded into the agent.
import type { NatsGateEntry } from './nats-gate.main.js';
import { NatsUpstream } from './nats-upstream.js';

const ENTRY: { path: string; main?: NatsGateEntry } = {
  path: fileURLToPath(new URL('./nats-gate.main.js', import.meta.url)),
};

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

  dataDirectory(place: NodePlace): string {
    return NATS_FILES.data(place);
  }

  logFile(place: NodePlace): string {
    return NATS_FILES.brokerLog(place);
  }

  logFiles(place: NodePlace): string[] {
    return [NATS_FILES.brokerLog(place), NATS_FILES.gateLog(place)];
  }

  users(spec: NodeSpec): string[] {
    return [spec.credentials.username];
  }

  render(place: NodePlace, spec: NodeSpec): RenderedBroker {
    const config = natsConfig(place, spec, natsValues(spec.broker.config.values));
    const { restart, version, limits } = spec.broker;
    // A change of the node's size needs a restart, also when only the memory grew.
    const hash = canonicalHash({ config, gate: natsGatePart(spec), restart, version, ...(limits && { limits }) });
    return { content: natsConfigText(config, hash), hash };
  }

  async check(place: NodePlace, spec: NodeSpec): Promise<void> {
    const file = NATS_FILES.candidate(place);
    await writePrivateFile(file, this.render(place, spec).content);
    try {
      await checkNatsConfig(this.server(), file, [
        spec.credentials.password,
        spec.cluster.secret,
        monitorPassword(spec),
      ]);
    } finally {
      await rm(file, { force: true });
    }
  }

  async start(place: NodePlace, spec: NodeSpec, gate: GateState): Promise<Started> {
    await mkdir(NATS_FILES.data(place), { recursive: true, mode: 0o700 });
    await mkdir(NATS_FILES.ports(place), { recursive: true, mode: 0o700 });
    const prepared = await this.prepare(place, spec);
    const gateStarted = await this.ensureGate(place, prepared, gate);
    const serverStarted = await this.ensureServer(place, prepared, spec);
    const started = [serverStarted, gateStarted].filter((one) => one !== null);
    // Reports only the end of processes that this call started. The agent watches the others.
    return { pid: started[0]?.pid ?? 0, exited: Promise.race(started.map(({ exited }) => exited)) };
  }

  async contact(place: NodePlace): Promise<BrokerContact | null> {
    const answer = await this.ask(place, { method: 'GET', path: '/ping' });
    const body = (answer?.body ?? null) as GatePing | null;
    if (body === null || body.broker === null) return null;
    const { broker } = body;
    return {
      pid: broker.pid,
      startedAt: broker.startedAt,
      version: broker.version,
      // With different configurations the hash matches neither of them.
      configHash:
        broker.configHash === body.config_hash ? body.config_hash : `${body.config_hash}/${broker.configHash}`,
      gateHash: body.gate_hash,
      serverOffsetMs: body.server_offset_ms,
      listening: body.listening,
      ready: body.listening && broker.ready,
      reason: body.listening ? broker.reason : 'the gate is starting',
    };
  }

  async applyGate(place: NodePlace, gate: GateState): Promise<void> {
    const answer = await this.ask(place, { method: 'PUT', path: '/rules', body: gateOrder(gate) });
    if (answer === null) throw new BrokerError('the gate has stopped');
  }

  async freeze(place: NodePlace): Promise<void> {
    await mkdir(this.dataDirectory(place), { recursive: true, mode: 0o700 });
    await copyWhileStopped(serverArgs(place), this.dataDirectory(place), frozenDirectory(place));
  }

  async thaw(place: NodePlace): Promise<void> {
    await signalProcesses(serverArgs(place), 'SIGCONT');
  }

  async stats(place: NodePlace): Promise<Record<string, number>> {
    const answer = await this.ask(place, { method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  async stop(place: NodePlace, deadlineMs: number): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    // Stops the gate first: a disconnected client that reconnects finds a closed port instead of a stopping broker.
    await this.ask(place, { method: 'POST', path: '/stop' }).catch(() => null);
    while ((await signalProcesses(serverArgs(place), 'SIGTERM')) > 0 && Date.now() < deadline)
      await new Promise((wake) => setTimeout(wake, 50));
    await this.kill(place);
  }

  async kill(place: NodePlace): Promise<void> {
    await killProcesses(gateArgs(place));
    await killProcesses(serverArgs(place));
  }

  /**
   * Writes the server's configuration if it is valid. Otherwise the last one stays. So a broker that dies under a refused
   * configuration restarts with its previous one, and the agent sees by the hash that it is not the wanted one. Throws
   * BrokerError when there is neither.
   */
  private async prepare(place: NodePlace, spec: NodeSpec): Promise<Prepared> {
    try {
      await this.check(place, spec);
    } catch (refusal) {
      const last = await this.lastGateConfig(place);
      if (last === null || (await readFileIfAny(NATS_FILES.config(place))) === null) throw refusal;
      return { hash: last.config_hash, gate: last };
    }
    const { content, hash } = this.render(place, spec);
    await writePrivateFile(NATS_FILES.config(place), content);
    return { hash, gate: natsGatePart(spec) };
  }

  private async ensureGate(place: NodePlace, { hash, gate: part }: Prepared, gate: GateState) {
    const answer = await this.ask(place, { method: 'GET', path: '/ping' });
    if ((answer?.body as GatePing | undefined)?.config_hash === hash) {
      await this.applyGate(place, gate);
      return null;
    }
    await killProcesses(gateArgs(place));
    const config = natsGateConfig(place, part, gate, hash);
    await writePrivateFile(NATS_FILES.gateConfig(place), JSON.stringify(config));
    const args = [this.gateEntry, ...gateArgs(place)];
    return spawnDetached(process.execPath, args, place.dir, NATS_FILES.gateLog(place));
  }

  private async ensureServer(place: NodePlace, { hash }: Prepared, spec: NodeSpec): Promise<Started | null> {
    const upstream = new NatsUpstream(place, spec.cluster.size, monitorPassword(spec));
    const running = await upstream.report().catch(() => null);
    await upstream.close();
    if (running?.configHash === hash) return null;
    // Two servers on one store would damage it.
    await killProcesses(serverArgs(place));
    // Another process may have the stored port of a dead server.
    await rm(NATS_FILES.ports(place), { recursive: true, force: true });
    await mkdir(NATS_FILES.ports(place), { mode: 0o700 });
    return spawnDetached(this.server(), serverArgs(place), place.dir, NATS_FILES.brokerLog(place));
  }

  private ask(place: NodePlace, call: Ask): Promise<SocketAnswer | null> {
    return askInstance(place, 'gate', call);
  }

  private async lastGateConfig(place: NodePlace): Promise<NatsGateConfig | null> {
    const content = await readFileIfAny(NATS_FILES.gateConfig(place));
    return content === null ? null : (JSON.parse(content) as NatsGateConfig);
  }

  private server(): string {
    if (this.binary !== null) return this.binary;
    throw new BrokerError('this node has no nats-server: run "npm run broker:nats" or set NATS_SERVER_BIN');
  }
}

/** The gate's answer to `GET /ping`. */
interface GatePing {
  config_hash: string;
  gate_hash: string;
  server_offset_ms: number;
  listening: boolean;
  broker: UpstreamReport | null;
}

/** nats-server refuses unknown arguments, so the node's flag is passed as its name. The process is found by it. */
function serverArgs(place: NodePlace): string[] {
  return ['-c', NATS_FILES.config(place), '--name', nodeFlag(place)];
}

function gateArgs(place: NodePlace): string[] {
  return ['--config', NATS_FILES.gateConfig(place), nodeFlag(place)];
}
