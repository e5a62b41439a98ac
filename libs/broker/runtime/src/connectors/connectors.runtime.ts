import { fileURLToPath } from 'node:url';
import type { ConnectorReport, NodeConnectors, NodeSpec } from '@libs/domain';
import type { RenderedBroker } from '../broker-runtime.js';
import { canonicalHash } from '../canonical-hash.js';
import { askInstance, type Ask } from '../control/ask-instance.js';
import type { Inlet } from '../control/inlet.js';
import { endOlderRelease } from '../control/older-release.js';
import { spawnDetached, type Started } from '../control/spawn-detached.js';
import { nodeFlag, type NodePlace } from '../node-place.js';
import { writePrivateFile } from '../private-file.js';
import { killProcesses } from '../process-scan.js';
import type { SocketAnswer } from '../socket-request.js';
import { CONNECTORS_VERSION, type ConnectorsConfig } from './connectors-config.js';
import { CONNECTORS_FILES, keptInstances } from './connectors-files.js';
// Only its type, so that the runner is compiled along but never loaded into the agent.
import type { ConnectorsEntry } from './connectors.main.js';
import { movedMessages } from './instance-record.js';

/** Of the memory that the runner may use, for collecting garbage in time. */
const HEAP_MIB = 128;

const ENTRY: { path: string; main?: ConnectorsEntry } = {
  path: fileURLToPath(new URL('./connectors.main.js', import.meta.url)),
};

/** What a running runner says of itself. */
export interface ConnectorsContact {
  pid: number;
  /** ISO 8601, start of the process. */
  startedAt: string;
  version: string;
  /** `render(…).hash` of what it started from. */
  configHash: string;
  /** Of all instances in its configuration. */
  connectors: ConnectorReport[];
}

/** What of a node its connectors run by. */
export interface ConnectorsSpec {
  node: Pick<NodeSpec, 'deployment_id' | 'credentials'>;
  connectors: NodeConnectors;
  inlet: Inlet;
  /** Whether connectors may send to private addresses: a matter of the machine, not of the document. */
  allowPrivate: boolean;
}

/**
 * The connectors of a node with broker embedded or nats: a process of its own session that outlives whoever started it, and
 * is found again by asking its control socket, as the broker is. It reaches the broker by the inlet.
 */
export class ConnectorsRuntime {
  readonly version = CONNECTORS_VERSION;

  constructor(private readonly entryPath: string = ENTRY.path) {}

  logFile(place: NodePlace): string {
    return CONNECTORS_FILES.log(place);
  }

  /** Pure, as `BrokerRuntime.render`. */
  render(place: NodePlace, { node, connectors, inlet, allowPrivate }: ConnectorsSpec): RenderedBroker {
    const { deployment_id, credentials } = node;
    const part = {
      deployment_id,
      inlet,
      credentials: { username: credentials.username, password: credentials.password },
      allow_private: allowPrivate,
      instances: connectors.instances,
    };
    const hash = canonicalHash({ ...part, restart: connectors.restart, version: this.version });
    const { dir, installation, nodeId: node_id } = place;
    const config: ConnectorsConfig = { dir, installation, node_id, config_hash: hash, ...part };
    return { content: JSON.stringify(config), hash };
  }

  /** Writes the configuration and starts the process. `exited` tells its end. */
  async start(place: NodePlace, spec: ConnectorsSpec): Promise<Started> {
    await endOlderRelease(place, 'connectors', flags(place));
    await writePrivateFile(CONNECTORS_FILES.config(place), this.render(place, spec).content);
    const args = [`--max-old-space-size=${HEAP_MIB}`, this.entryPath, ...flags(place)];
    return spawnDetached(process.execPath, args, place.dir, this.logFile(place));
  }

  /** Asks the node's runner, whoever started it. Null when none answers. */
  async contact(place: NodePlace): Promise<ConnectorsContact | null> {
    const answer = await this.ask(place, { method: 'GET', path: '/ping' });
    if (answer === null) return null;
    const { pid, started_at, version, config_hash, connectors } = answer.body as PingBody;
    return { pid, startedAt: started_at, version, configHash: config_hash, connectors };
  }

  /** `memory_bytes` and `cpu_seconds`; empty when it does not run. */
  async stats(place: NodePlace): Promise<Record<string, number>> {
    const answer = await this.ask(place, { method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  /** What no runner tells, because it does not run: how many messages each instance has moved. */
  async moved(place: NodePlace, { instances }: NodeConnectors): Promise<ReadonlyMap<number, number>> {
    const ids = instances.map(({ instance_id: id }) => id);
    return new Map(
      await Promise.all(ids.map(async (id) => [id, await movedMessages(place, id).catch(() => 0)] as const)),
    );
  }

  /** Whether instances that were removed have left something that a runner must put away. */
  async hasRemoved(place: NodePlace, { instances }: NodeConnectors): Promise<boolean> {
    const wanted = new Set(instances.map(({ instance_id: id }) => id));
    return (await keptInstances(place)).some((id) => !wanted.has(id));
  }

  /** Graceful stop, then SIGKILL after `deadlineMs`. Resolves when no process of it is left. */
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
    return askInstance(place, 'connectors', call);
  }

  private async isHeld(place: NodePlace): Promise<boolean> {
    return this.contact(place).then(
      (contact) => contact !== null,
      () => true,
    );
  }
}

interface PingBody {
  pid: number;
  started_at: string;
  version: string;
  config_hash: string;
  connectors: ConnectorReport[];
}

function flags(place: NodePlace): string[] {
  return ['--config', CONNECTORS_FILES.config(place), nodeFlag(place)];
}
