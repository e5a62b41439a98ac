import { join } from 'node:path';
import type { RefusedLogins } from '@libs/domain';
import { BrokerError } from '../control/broker-error.js';
import type { BrokerContact, GateState } from '../control/broker-runtime.js';
import { askInstance, type Ask } from '../control/ask-instance.js';
import { spawnDetached, type Started } from '../control/spawn-detached.js';
import { nodeFlag, type NodeHome } from '../control/node-home.js';
import { readFileIfAny, writePrivateFile } from '../os/private-file.js';
import { endProcesses } from '../os/end-processes.js';
import type { SocketAnswer } from '../control/socket-request.js';
import type { GateConfig } from './gate-config.js';
import { gateSettings } from '../control/gate-settings.js';
import type { UpstreamReport } from './gate-upstream.js';

/** The files of a gate process, relative to the node's directory. */
export const GATE_FILES = {
  config: (home: NodeHome) => join(home.dir, 'gate.json'),
  log: (home: NodeHome) => join(home.dir, 'gate.log'),
} as const;

/** The gate's answer to `GET /ping`. */
interface GatePing {
  config_hash: string;
  gate_hash: string;
  server_offset_ms: number;
  listening: boolean;
  /** Absent in a process of an earlier release. */
  refused_logins?: RefusedLogins[];
  /** Absent for brokers whose node has no programs of its own, and in a process of an earlier release. */
  node_ports?: Record<string, number>;
  broker: UpstreamReport | null;
}

/** The gate process of a node, as its agent controls it. */
export class GateControl {
  constructor(
    private readonly home: NodeHome,
    /** The compiled entry file of the gate. */
    private readonly entry: string,
  ) {}

  /** The broker and its gate as one. Null when one of them does not run. */
  async contact(): Promise<BrokerContact | null> {
    const body = await this.ping();
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
      refusedLogins: body.refused_logins ?? [],
    };
  }

  /** Loopback ports for programs of the node itself, by the name of the listener. Null when the gate does not run or has none. */
  async nodePorts(): Promise<Record<string, number> | null> {
    const { node_ports: ports = {} } = (await this.ping()) ?? {};
    return Object.keys(ports).length > 0 ? ports : null;
  }

  async apply(gate: GateState): Promise<void> {
    const answer = await this.ask({ method: 'PUT', path: '/rules', body: gateSettings(gate) });
    if (answer === null) throw new BrokerError('the gate has stopped');
  }

  async stats(): Promise<Record<string, number>> {
    const answer = await this.ask({ method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  /** Makes a gate with this configuration run. Null when it runs already: it then applies the state. */
  async ensure(config: GateConfig, gate: GateState): Promise<Started | null> {
    if ((await this.ping())?.config_hash === config.config_hash) {
      await this.apply(gate);
      return null;
    }
    await this.kill();
    await writePrivateFile(GATE_FILES.config(this.home), JSON.stringify(config));
    return spawnDetached(process.execPath, [this.entry, ...this.args()], this.home.dir, GATE_FILES.log(this.home));
  }

  /** The configuration of the gate that was started last. */
  async lastConfig<T extends GateConfig>(): Promise<T | null> {
    const content = await readFileIfAny(GATE_FILES.config(this.home));
    return content === null ? null : (JSON.parse(content) as T);
  }

  async stop(): Promise<void> {
    await this.ask({ method: 'POST', path: '/stop' }).catch(() => null);
  }

  async kill(): Promise<void> {
    await endProcesses(this.args(), { graceMs: 0 });
  }

  private async ping(): Promise<GatePing | null> {
    const answer = await this.ask({ method: 'GET', path: '/ping' });
    return (answer?.body ?? null) as GatePing | null;
  }

  private ask(call: Ask): Promise<SocketAnswer | null> {
    return askInstance(this.home, 'gate', call);
  }

  private args(): string[] {
    return ['--config', GATE_FILES.config(this.home), nodeFlag(this.home)];
  }
}
