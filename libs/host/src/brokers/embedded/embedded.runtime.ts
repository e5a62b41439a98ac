import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NodeSpec, RefusedLogins } from '@libs/domain';
import { BrokerError } from '../../control/broker-error.js';
import type { BrokerContact, BrokerRuntime, GateState, RenderedBroker } from '../../control/broker-runtime.js';
import { canonicalHash } from '../../os/canonical-hash.js';
import { askInstance, type Ask } from '../../control/ask-instance.js';
import type { Inlet } from '../../control/inlet.js';
import { endOlderRelease } from '../../control/older-release.js';
import { spawnDetached } from '../../control/spawn-detached.js';
import { gateSettings } from '../../control/gate-settings.js';
import { frozenDirectory, nodeFlag, type NodeHome } from '../../control/node-home.js';
import { writePrivateFile } from '../../os/private-file.js';
import { endProcesses } from '../../os/end-processes.js';
import { until } from '../../os/until.js';
import type { SocketAnswer } from '../../control/socket-request.js';
import { copyStore } from './store/copy-store.js';
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

  dataDirectory(home: NodeHome): string {
    return join(home.dir, 'data');
  }

  logFile(home: NodeHome): string {
    return join(home.dir, 'broker.log');
  }

  logFiles(home: NodeHome): string[] {
    return [this.logFile(home)];
  }

  users(spec: NodeSpec): string[] {
    return [spec.credentials.username];
  }

  render(home: NodeHome, spec: NodeSpec, gate: GateState): RenderedBroker {
    const { broker, listen, cluster } = spec;
    const hash = canonicalHash({ broker: { ...broker, want: 'running' }, listen, cluster });
    const config: EmbeddedConfig = {
      installation: home.installation,
      node_id: home.nodeId,
      dir: home.dir,
      data_dir: this.dataDirectory(home),
      config_hash: hash,
      listen,
      cluster,
      values: broker.config.values,
      storage_mib: broker.limits?.storage_mib ?? null,
      ...(broker.rate_limit && { rate_limit: broker.rate_limit }),
      ...(broker.encryption && { encryption: { key: broker.encryption.key } }),
      gate: gateSettings(gate),
      page: { deployment_id: spec.deployment_id, node_name: spec.name, driver: spec.broker.driver },
    };
    return { content: JSON.stringify(config), hash };
  }

  /** Reading brings all values into range, so no value can be refused here. */
  async check(): Promise<void> {}

  async start(home: NodeHome, spec: NodeSpec, gate: GateState) {
    await mkdir(this.dataDirectory(home), { recursive: true, mode: 0o700 });
    await endOlderRelease(home, 'broker', flags(home));
    await writePrivateFile(configFile(home), this.render(home, spec, gate).content);
    const args = [...heapFlags(spec), this.entryPath, ...flags(home)];
    return spawnDetached(process.execPath, args, home.dir, this.logFile(home));
  }

  async contact(home: NodeHome): Promise<BrokerContact | null> {
    const answer = await this.ask(home, { method: 'GET', path: '/ping' });
    return answer === null ? null : toContact(answer.body as PingBody);
  }

  async applyGate(home: NodeHome, gate: GateState): Promise<void> {
    const answer = await this.ask(home, { method: 'PUT', path: '/rules', body: gateSettings(gate) });
    if (answer === null) throw new BrokerError('the broker has stopped');
  }

  async freeze(home: NodeHome): Promise<void> {
    const call = { method: 'POST', path: '/freeze', timeoutMs: FREEZE_TIMEOUT_MS } as const;
    if ((await this.ask(home, call)) === null) await copyStore(this.dataDirectory(home), frozenDirectory(home));
  }

  /** A freeze ends with its process, so nothing can stay frozen. */
  async thaw(): Promise<void> {}

  async adopt(_home: NodeHome, directory: string, { broker: { encryption } }: NodeSpec): Promise<void> {
    if (!encryption?.source) return;
    // Loaded only here: the agent has no other use for the store.
    const { resealData } = await import('./reseal-data.js');
    await resealData(directory, encryption.key, encryption.source);
  }

  async stats(home: NodeHome): Promise<Record<string, number>> {
    const answer = await this.ask(home, { method: 'GET', path: '/stats' });
    return (answer?.body ?? {}) as Record<string, number>;
  }

  async stop(home: NodeHome, deadlineMs: number): Promise<void> {
    await this.ask(home, { method: 'POST', path: '/stop' }).catch(() => null);
    await until(async () => !(await this.isHeld(home)), { timeoutMs: deadlineMs, everyMs: 20 });
    await this.kill(home);
  }

  async kill(home: NodeHome): Promise<void> {
    await endProcesses(flags(home), { graceMs: 0 });
  }

  private async ask(home: NodeHome, call: Ask): Promise<SocketAnswer | null> {
    return askInstance(home, 'broker', call);
  }

  private async isHeld(home: NodeHome): Promise<boolean> {
    return this.contact(home).then(
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
  /** Absent in a process of an earlier release. */
  refused_logins?: RefusedLogins[];
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
    refusedLogins: body.refused_logins ?? [],
  };
}

const flags = (home: NodeHome): string[] => ['--config', configFile(home), nodeFlag(home)];

function configFile(home: NodeHome): string {
  return join(home.dir, 'broker.json');
}
