import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { NodeSpec, RefusedLogins } from '@libs/domain';
import { natsValues } from '@libs/broker/schema';
import { BrokerError } from '../broker-error.js';
import type { BrokerContact, BrokerRuntime, GateState, RenderedBroker } from '../broker-runtime.js';
import { canonicalHash } from '../canonical-hash.js';
import { askInstance, type Ask } from '../control/ask-instance.js';
import type { Inlet } from '../control/inlet.js';
import { spawnDetached, type Started } from '../control/spawn-detached.js';
import { openCipher } from '../encryption/sealed-data.js';
import { gateSettings } from '../gate/gate-settings.js';
import type { UpstreamReport } from '../gate/gate-upstream.js';
import { frozenDirectory, nodeFlag, type NodeHome } from '../node-home.js';
import { readFileIfAny, writePrivateFile } from '../private-file.js';
import { killProcesses, signalProcesses } from '../process-scan.js';
import type { SocketAnswer } from '../socket-request.js';
import { copyWhileStopped } from './freeze-server.js';
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
    return [NATS_FILES.brokerLog(home), NATS_FILES.gateLog(home)];
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
    const gateStarted = await this.ensureGate(home, prepared, gate, spec);
    const serverStarted = await this.ensureServer(home, prepared, spec);
    const started = [serverStarted, gateStarted].filter((one) => one !== null);
    // Reports only the end of processes that this call started. The agent watches the others.
    return { pid: started[0]?.pid ?? 0, exited: Promise.race(started.map(({ exited }) => exited)) };
  }

  async contact(home: NodeHome): Promise<BrokerContact | null> {
    const answer = await this.ask(home, { method: 'GET', path: '/ping' });
    const body = (answer?.body ?? null) as GatePing | null;
    if (body === null || body.broker === null) return null;
    const { broker } = body;
    if (broker.ready) await streamKeys(home).forget();
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
      refusedLogins: body.refused_logins ?? [],
    };
  }

  async applyGate(home: NodeHome, gate: GateState): Promise<void> {
    const answer = await this.ask(home, { method: 'PUT', path: '/rules', body: gateSettings(gate) });
    if (answer === null) throw new BrokerError('the gate has stopped');
  }

  async freeze(home: NodeHome): Promise<void> {
    await mkdir(this.dataDirectory(home), { recursive: true, mode: 0o700 });
    await copyWhileStopped(serverArgs(home), this.dataDirectory(home), frozenDirectory(home));
    await streamKeys(home).putBack(frozenDirectory(home));
  }

  async thaw(home: NodeHome): Promise<void> {
    await signalProcesses(serverArgs(home), 'SIGCONT');
  }

  /** The order of such a deployment is refused, because nats-server cannot encrypt its data again. */
  async adopt(_directory: string, { broker: { encryption } }: NodeSpec): Promise<void> {
    if (encryption?.source) throw new BrokerError('nats-server cannot encrypt its data under another key');
  }

  async stats(home: NodeHome): Promise<Record<string, number>> {
    const answer = await this.ask(home, { method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  async stop(home: NodeHome, deadlineMs: number): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    // Stops the gate first: a disconnected client that reconnects finds a closed port instead of a stopping broker.
    await this.ask(home, { method: 'POST', path: '/stop' }).catch(() => null);
    while ((await signalProcesses(serverArgs(home), 'SIGTERM')) > 0 && Date.now() < deadline)
      await new Promise((wake) => setTimeout(wake, 50));
    await this.kill(home);
  }

  async kill(home: NodeHome): Promise<void> {
    await killProcesses(gateArgs(home));
    await killProcesses(serverArgs(home));
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
      const last = await this.lastGateConfig(home);
      if (last === null || (await readFileIfAny(NATS_FILES.config(home))) === null) throw refusal;
      return { hash: last.config_hash, gate: last };
    }
    const { content, hash } = this.render(home, spec);
    await writePrivateFile(NATS_FILES.config(home), content);
    return { hash, gate: natsGatePart(spec) };
  }

  private async ensureGate(home: NodeHome, { hash, gate: part }: Prepared, gate: GateState, spec: NodeSpec) {
    const answer = await this.ask(home, { method: 'GET', path: '/ping' });
    if ((answer?.body as GatePing | undefined)?.config_hash === hash) {
      await this.applyGate(home, gate);
      return null;
    }
    await killProcesses(gateArgs(home));
    const config = natsGateConfig(home, part, gate, hash, spec);
    await writePrivateFile(NATS_FILES.gateConfig(home), JSON.stringify(config));
    const args = [this.gateEntry, ...gateArgs(home)];
    return spawnDetached(process.execPath, args, home.dir, NATS_FILES.gateLog(home));
  }

  private async ensureServer(home: NodeHome, { hash }: Prepared, spec: NodeSpec): Promise<Started | null> {
    const upstream = new NatsUpstream(home, spec.cluster.size, monitorPassword(spec));
    const running = await upstream.report().catch(() => null);
    await upstream.close();
    if (running?.configHash === hash) return null;
    // Two servers on one store would damage it.
    await killProcesses(serverArgs(home));
    if (spec.broker.encryption) await streamKeys(home).keep(NATS_FILES.data(home));
    // Another process may have the stored port of a dead server.
    await rm(NATS_FILES.ports(home), { recursive: true, force: true });
    await mkdir(NATS_FILES.ports(home), { mode: 0o700 });
    return spawnDetached(this.server(), serverArgs(home), home.dir, NATS_FILES.brokerLog(home));
  }

  private ask(home: NodeHome, call: Ask): Promise<SocketAnswer | null> {
    return askInstance(home, 'gate', call);
  }

  private async lastGateConfig(home: NodeHome): Promise<NatsGateConfig | null> {
    const content = await readFileIfAny(NATS_FILES.gateConfig(home));
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
  /** Absent in a process of an earlier release. */
  refused_logins?: RefusedLogins[];
  broker: UpstreamReport | null;
}

const streamKeys = (home: NodeHome): StreamKeys => new StreamKeys(NATS_FILES.streamKeys(home));

/** nats-server refuses unknown arguments, so the node's flag is passed as its name. The process is found by it. */
function serverArgs(home: NodeHome): string[] {
  return ['-c', NATS_FILES.config(home), '--name', nodeFlag(home)];
}

function gateArgs(home: NodeHome): string[] {
  return ['--config', NATS_FILES.gateConfig(home), nodeFlag(home)];
}
