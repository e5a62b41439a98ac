import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  ConnectorInstanceId,
  ConnectorReport,
  DeadLetterAnswer,
  DeadLetterRequest,
  NodeConnectors,
  NodeSpec,
} from '@libs/domain';
import type { RenderedBroker } from '../control/broker-runtime.js';
import { canonicalHash } from '../os/canonical-hash.js';
import { askInstance, type Ask } from '../control/ask-instance.js';
import type { Inlet } from '../control/inlet.js';
import { endOlderRelease } from '../control/older-release.js';
import { spawnDetached, type Started } from '../control/spawn-detached.js';
import { nodeFlag, pluginsName, type NodeHome } from '../control/node-home.js';
import { writePrivateFile } from '../os/private-file.js';
import { endProcesses } from '../os/end-processes.js';
import { until } from '../os/until.js';
import type { SocketAnswer } from '../control/socket-request.js';
import { CONNECTORS_VERSION, type ConnectorsConfig } from './connectors-config.js';
import { CONNECTORS_FILES, keptInstances } from './connectors-files.js';
// Imports only the type, so that the connectors process is compiled but never loaded into the agent.
import type { ConnectorsEntry } from './connectors.main.js';
import type { MovedCounts } from './connector-work.js';
import { iggyPart, type IggyConnectorPrograms } from './iggy/iggy-part.js';
import { readPluginCounts } from './iggy/plugin-counts.js';
import { movedCounts } from './instance-record.js';

/** Heap limit of the connectors process, so that it collects garbage in time. */
const HEAP_MIB = 128;

/** Time of iggy-connectors for a graceful stop. */
const PLUGINS_DEADLINE_MS = 2_000;

const ENTRY: { path: string; main?: ConnectorsEntry } = {
  path: fileURLToPath(new URL('./connectors.main.js', import.meta.url)),
};

/** The status that a running connectors process reports. */
export interface ConnectorsContact {
  pid: number;
  /** ISO 8601, start of the process. */
  startedAt: string;
  version: string;
  /** `render(…).hash` of the configuration that it runs. */
  configHash: string;
  /** Hash of its configuration without the instances. Empty for a process of an earlier release. */
  baseHash: string;
  /** Reports of all instances in its configuration. */
  connectors: ConnectorReport[];
}

/** The program of the connectors on a node that fetches each plugin when a connector uses it. */
export interface ConnectorsProgram {
  /** Absolute path of the file that starts. Another path needs another process. */
  entry: string;
  /** The instances whose plugin is not in the folder of the program. */
  absent: readonly ConnectorInstanceId[];
}

/** The parts of a node's document that its connectors need. */
export interface ConnectorsSpec {
  node: Pick<NodeSpec, 'deployment_id' | 'credentials' | 'broker' | 'cluster'>;
  connectors: NodeConnectors;
  inlet: Inlet;
  /** Whether connectors may send to private addresses. The machine decides this, not the document. */
  allowPrivate: boolean;
  /** The programs of the machine. */
  binaries?: IggyConnectorPrograms;
  /** Null: the program that came with this agent, with all plugins. */
  program?: ConnectorsProgram | null;
}

/**
 * The connectors of a node with broker embedded or nats. Their process has its own session and outlives the process that
 * started it. Like the broker it is found through its control socket. It connects to the broker through the inlet.
 */
export class ConnectorsRuntime {
  readonly version = CONNECTORS_VERSION;

  constructor(private readonly entryPath: string = ENTRY.path) {}

  /** Absolute path of the folder that contains the program of the connectors, and all other files of a bundled agent. */
  get folder(): string {
    return dirname(this.entryPath);
  }

  logFile(home: NodeHome): string {
    return CONNECTORS_FILES.log(home);
  }

  /** Pure, like `BrokerRuntime.render`. */
  render(
    home: NodeHome,
    { node, connectors, inlet, allowPrivate, binaries = {}, program = null }: ConnectorsSpec,
  ): RenderedBroker & { baseHash: string } {
    const { deployment_id, credentials } = node;
    const iggy = iggyPart(node, binaries);
    const base = {
      deployment_id,
      inlet,
      credentials: { username: credentials.username, password: credentials.password },
      allow_private: allowPrivate,
      ...(iggy && { iggy }),
      ...(program && { program: program.entry }),
    };
    const { instances, restart } = connectors;
    const more = { instances, ...(program && { absent: program.absent }) };
    const baseHash = canonicalHash({ ...base, restart, version: this.version });
    const hash = canonicalHash({ ...base, ...more, restart, version: this.version });
    const { dir, installation, nodeId: node_id } = home;
    const hashes = { config_hash: hash, base_hash: baseHash };
    const config: ConnectorsConfig = { dir, installation, node_id, ...hashes, ...base, ...more };
    return { content: JSON.stringify(config), hash, baseHash };
  }

  /** Writes the configuration and starts the process. `exited` reports its end. */
  async start(home: NodeHome, spec: ConnectorsSpec): Promise<Started> {
    await endOlderRelease(home, 'connectors', flags(home));
    await writePrivateFile(CONNECTORS_FILES.config(home), this.render(home, spec).content);
    const entry = spec.program?.entry ?? this.entryPath;
    const args = [`--max-old-space-size=${HEAP_MIB}`, entry, ...flags(home)];
    return spawnDetached(process.execPath, args, home.dir, this.logFile(home));
  }

  /** Makes the running process take changed instances. The others continue. False: the process needs a restart for it. */
  async apply(home: NodeHome, spec: ConnectorsSpec): Promise<boolean> {
    await writePrivateFile(CONNECTORS_FILES.config(home), this.render(home, spec).content);
    return this.ask(home, { method: 'POST', path: '/apply' }).then(
      (answer) => answer !== null,
      () => false,
    );
  }

  /** Reads, replays or deletes dead letters. Null when the process does not run. */
  async deadLetters(home: NodeHome, body: DeadLetterRequest): Promise<DeadLetterAnswer | null> {
    const answer = await this.ask(home, { method: 'POST', path: '/dead_letters', body });
    return answer?.body ?? null;
  }

  /** Queries the connectors process of the node, independent of the process that started it. Null when none answers. */
  async contact(home: NodeHome): Promise<ConnectorsContact | null> {
    const answer = await this.ask(home, { method: 'GET', path: '/ping' });
    if (answer === null) return null;
    const { pid, started_at, version, config_hash, base_hash = '', connectors } = answer.body as PingBody;
    return { pid, startedAt: started_at, version, configHash: config_hash, baseHash: base_hash, connectors };
  }

  /** `memory_bytes` and `cpu_seconds`. Empty when the process does not run. */
  async stats(home: NodeHome): Promise<Record<string, number>> {
    const answer = await this.ask(home, { method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  /** The numbers of messages of each instance, from its files. For nodes whose connectors process does not run. */
  async moved(home: NodeHome, { instances }: NodeConnectors): Promise<ReadonlyMap<ConnectorInstanceId, MovedCounts>> {
    const ids = instances.map(({ instance_id: id }) => id);
    const none = { messages: 0, failed: 0 };
    const ofPlugins = await readPluginCounts(home).catch(() => new Map<ConnectorInstanceId, MovedCounts>());
    const countsOf = async (id: ConnectorInstanceId) =>
      ofPlugins.get(id) ?? (await movedCounts(home, id).catch(() => none));
    return new Map(await Promise.all(ids.map(async (id) => [id, await countsOf(id)] as const)));
  }

  /** Whether removed instances have left files that a connectors process must clean up. */
  async hasRemoved(home: NodeHome, { instances }: NodeConnectors): Promise<boolean> {
    const instanceIds = new Set(instances.map(({ instance_id: id }) => id));
    return (await keptInstances(home)).some((id) => !instanceIds.has(id));
  }

  /** Graceful stop, then SIGKILL after `deadlineMs`. Resolves when no connectors process is left. */
  async stop(home: NodeHome, deadlineMs: number): Promise<void> {
    await this.ask(home, { method: 'POST', path: '/stop' }).catch(() => null);
    await until(async () => !(await this.isHeld(home)), { timeoutMs: deadlineMs, everyMs: 20 });
    await this.kill(home);
  }

  async kill(home: NodeHome): Promise<void> {
    await endProcesses(flags(home), { graceMs: 0 });
    // The connectors process ends it, unless it was killed.
    await endProcesses({ name: pluginsName(home) }, { graceMs: PLUGINS_DEADLINE_MS });
  }

  private async ask(home: NodeHome, call: Ask): Promise<SocketAnswer | null> {
    return askInstance(home, 'connectors', call);
  }

  private async isHeld(home: NodeHome): Promise<boolean> {
    return this.contact(home).then(
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
  base_hash?: string;
  connectors: ConnectorReport[];
}

function flags(home: NodeHome): string[] {
  return ['--config', CONNECTORS_FILES.config(home), nodeFlag(home)];
}
