import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NodeSpec } from '@libs/domain';
import { BrokerError } from '../broker-error.js';
import type { BrokerContact, BrokerRuntime, GateState, RenderedBroker } from '../broker-runtime.js';
import { canonicalHash } from '../canonical-hash.js';
import { askInstance, type Ask } from '../control/ask-instance.js';
import type { Inlet } from '../control/inlet.js';
import { endOlderRelease } from '../control/older-release.js';
import { spawnDetached } from '../control/spawn-detached.js';
import { gateOrder } from '../gate/gate-order.js';
import { frozenDirectory, nodeFlag, type NodePlace } from '../node-place.js';
import { writePrivateFile } from '../private-file.js';
import { killProcesses } from '../process-scan.js';
import type { SocketAnswer } from '../socket-request.js';
import { copyStore } from './copy-store.js';
import type { EmbeddedConfig } from './embedded-config.js';
// Imports only the type, so that the broker is compiled but never loaded into the agent.
import type { EmbeddedEntry } from './embedded.main.js';

/** The heap's share of the node's memory. The rest is for buffers and the process itself. */
const HEAP_SHARE = 0.75;
const MIN_HEAP_MIB = 64;
const FREEZE_TIMEOUT_MS = 30_000;

const ENTRY: { path: string; main?: EmbeddedEntry } = {
  path: fileURLToPath(new URL('./embedded.main.js', import.meta.url)),
};

/** Driver `embedded`: an MQTT broker on Node.js with the gate inside, one process per node. See EMBEDDED_SETTINGS. */
export class EmbeddedRuntime implements BrokerRuntime {
  readonly driver = 'embedded';
  readonly gate = 'inline';
  readonly inlet: Inlet = { role: 'broker' };

  constructor(private readonly entryPath: string = ENTRY.path) {}

  dataDirectory(place: NodePlace): string {
    return join(place.dir, 'data');
  }

  logFile(place: NodePlace): string {
    return join(place.dir, 'broker.log');
  }

  logFiles(place: NodePlace): string[] {
    return [this.logFile(place)];
  }

  users(spec: NodeSpec): string[] {
    return [spec.credentials.username];
  }

  render(place: NodePlace, spec: NodeSpec, gate: GateState): RenderedBroker {
    const { broker, listen, cluster, credentials } = spec;
    const hash = canonicalHash({ broker: { ...broker, want: 'running' }, listen, cluster, credentials });
    const config: EmbeddedConfig = {
      installation: place.installation,
      node_id: place.nodeId,
      dir: place.dir,
      data_dir: this.dataDirectory(place),
      config_hash: hash,
      listen,
      cluster,
      credentials: { username: credentials.username, password: credentials.password },
      values: broker.config.values,
      storage_mib: broker.limits?.storage_mib ?? null,
      gate: gateOrder(gate),
    };
    return { content: JSON.stringify(config), hash };
  }

  /** Reading brings all values into range, so no value can be refused here. */
  async check(): Promise<void> {}

  async start(place: NodePlace, spec: NodeSpec, gate: GateState) {
    await mkdir(this.dataDirectory(place), { recursive: true, mode: 0o700 });
    await endOlderRelease(place, 'broker', flags(place));
    await writePrivateFile(configFile(place), this.render(place, spec, gate).content);
    const args = [...heapFlags(spec), this.entryPath, ...flags(place)];
    return spawnDetached(process.execPath, args, place.dir, this.logFile(place));
  }

  async contact(place: NodePlace): Promise<BrokerContact | null> {
    const answer = await this.ask(place, { method: 'GET', path: '/ping' });
    return answer === null ? null : toContact(answer.body as PingBody);
  }

  async applyGate(place: NodePlace, gate: GateState): Promise<void> {
    const answer = await this.ask(place, { method: 'PUT', path: '/rules', body: gateOrder(gate) });
    if (answer === null) throw new BrokerError('the broker has stopped');
  }

  async freeze(place: NodePlace): Promise<void> {
    const call = { method: 'POST', path: '/freeze', timeoutMs: FREEZE_TIMEOUT_MS } as const;
    if ((await this.ask(place, call)) === null) await copyStore(this.dataDirectory(place), frozenDirectory(place));
  }

  /** A freeze ends with its process, so nothing can stay frozen. */
  async thaw(): Promise<void> {}

  async stats(place: NodePlace): Promise<Record<string, number>> {
    const answer = await this.ask(place, { method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  async stop(place: NodePlace, deadlineMs: number): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    await this.ask(place, { method: 'POST', path: '/stop' }).catch(() => null);
    while (Date.now() < deadline && (await this.isHeld(place))) await new Promise((wake) => setTimeout(wake, 20));
    await this.kill(place);
  }

  async kill(place: NodePlace): Promise<void> {
    await killProcesses(flags(place));
  }

  private async ask(place: NodePlace, call: Ask): Promise<SocketAnswer | null> {
    return askInstance(place, 'broker', call);
  }

  private async isHeld(place: NodePlace): Promise<boolean> {
    return this.contact(place).then(
      (contact) => contact !== null,
      () => true,
    );
  }
}

/** Makes the process collect garbage in time, before the agent ends a process that has grown too large. */
const heapFlags = ({ broker: { limits } }: NodeSpec): string[] =>
  limits ? [`--max-old-space-size=${Math.max(MIN_HEAP_MIB, Math.floor(limits.memory_mib * HEAP_SHARE))}`] : [];

interface PingBody {
  pid: number;
  started_at: string;
  version: string;
  config_hash: string;
  gate_hash: string;
  server_offset_ms: number;
  listening: boolean;
  ready: boolean;
  reason: string | null;
}

function toContact(body: PingBody): BrokerContact {
  return {
    pid: body.pid,
    startedAt: body.started_at,
    version: body.version,
    configHash: body.config_hash,
    gateHash: body.gate_hash,
    serverOffsetMs: body.server_offset_ms,
    listening: body.listening,
    ready: body.ready,
    reason: body.reason,
  };
}

const flags = (place: NodePlace): string[] => ['--config', configFile(place), nodeFlag(place)];

function configFile(place: NodePlace): string {
  return join(place.dir, 'broker.json');
}
