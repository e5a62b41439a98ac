import { fileURLToPath } from 'node:url';
import type { ConnectorReport, NodeConnectors, NodeSpec, ConnectorInstanceId } from '@libs/domain';
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
// Imports only the type, so that the connectors process is compiled but never loaded into the agent.
import type { ConnectorsEntry } from './connectors.main.js';
import { movedMessages } from './instance-record.js';

/** Heap limit of the connectors process, so that it collects garbage in time. */
const HEAP_MIB = 128;

const ENTRY: { path: string; main?: ConnectorsEntry } = {
  path: fileURLToPath(new URL('./connectors.main.js', import.meta.url)),
};

/** The status that a running connectors process reports. */
export interface ConnectorsContact {
  pid: number;
  /** ISO 8601, start of the process. */
  startedAt: string;
  version: string;
  /** `render(…).hash` of the configuration at its start. */
  configHash: string;
  /** Reports of all instances in its configuration. */
  connectors: ConnectorReport[];
}

/** The parts of a node's document that its connectors need. */
export interface ConnectorsSpec {
  node: Pick<NodeSpec, 'deployment_id' | 'credentials'>;
  connectors: NodeConnectors;
  inlet: Inlet;
  /** Whether connectors may send to private addresses. The machine decides this, not the document. */
  allowPrivate: boolean;
}

/**
 * The connectors of a node with broker embedded or nats. Their process has its own session and outlives the process that
 * started it. Like the broker it is found through its control socket. It connects to the broker through the inlet.
 */
export class ConnectorsRuntime {
  readonly version = CONNECTORS_VERSION;

  constructor(private readonly entryPath: string = ENTRY.path) {}

  logFile(place: NodePlace): string {
    return CONNECTORS_FILES.log(place);
  }

  /** Pure, like `BrokerRuntime.render`. */
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

  /** Writes the configuration and starts the process. `exited` reports its end. */
  async start(place: NodePlace, spec: ConnectorsSpec): Promise<Started> {
    await endOlderRelease(place, 'connectors', flags(place));
    await writePrivateFile(CONNECTORS_FILES.config(place), this.render(place, spec).content);
    const args = [`--max-old-space-size=${HEAP_MIB}`, this.entryPath, ...flags(place)];
    return spawnDetached(process.execPath, args, place.dir, this.logFile(place));
  }

  /** Queries the connectors process of the node, independent of the process that started it. Null when none answers. */
  async contact(place: NodePlace): Promise<ConnectorsContact | null> {
    const answer = await this.ask(place, { method: 'GET', path: '/ping' });
    if (answer === null) return null;
    const { pid, started_at, version, config_hash, connectors } = answer.body as PingBody;
    return { pid, startedAt: started_at, version, configHash: config_hash, connectors };
  }

  /** `memory_bytes` and `cpu_seconds`. Empty when the process does not run. */
  async stats(place: NodePlace): Promise<Record<string, number>> {
    const answer = await this.ask(place, { method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  /** The number of messages that each instance has moved, from its files. For nodes whose connectors process does not run. */
  async moved(place: NodePlace, { instances }: NodeConnectors): Promise<ReadonlyMap<ConnectorInstanceId, number>> {
    const ids = instances.map(({ instance_id: id }) => id);
    return new Map(
      await Promise.all(ids.map(async (id) => [id, await movedMessages(place, id).catch(() => 0)] as const)),
    );
  }

  /** Whether removed instances have left files that a connectors process must clean up. */
  async hasRemoved(place: NodePlace, { instances }: NodeConnectors): Promise<boolean> {
    const wanted = new Set(instances.map(({ instance_id: id }) => id));
    return (await keptInstances(place)).some((id) => !wanted.has(id));
  }

  /** Graceful stop, then SIGKILL after `deadlineMs`. Resolves when no connectors process is left. */
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
