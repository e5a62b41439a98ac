import { mkdir } from 'node:fs/promises';
import type { ConnectorReport } from '@libs/domain';
import { ControlServer, type Controlled } from '../control/control-server.js';
import type { JsonLog } from '../json-log.js';
import type { ConnectorContext } from './connector-work.js';
import { ConnectorRun } from './connector-run.js';
import { CONNECTORS_FILES } from './connectors-files.js';
import { CONNECTORS_VERSION, type ConnectorsConfig } from './connectors-config.js';
import { forgetRemoved } from './delivery/forget-removed.js';

const STARTED_AT = new Date(Date.now() - process.uptime() * 1000).toISOString();
/** Limit for a graceful stop. After it the process ends, and an unfinished request may be repeated later. */
const STOP_DEADLINE_MS = 5_000;

/** Runs all connectors of a node in one process, like the upstream runtime. */
export class ConnectorsProcess implements Controlled {
  private readonly control: ControlServer;
  private readonly runs: ConnectorRun[];
  private readonly context: ConnectorContext;
  private readonly work = new AbortController();
  private working: Promise<unknown> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly config: ConnectorsConfig,
    private readonly log: JsonLog,
  ) {
    const home = { dir: config.dir, installation: config.installation, nodeId: config.node_id };
    const { inlet, credentials, deployment_id: deploymentId, allow_private: allowPrivate } = config;
    this.context = { access: { home, inlet, credentials }, deploymentId, allowPrivate, log };
    this.runs = config.instances.map((instance) => new ConnectorRun(instance, this.context));
    this.control = new ControlServer(home, 'connectors', this);
  }

  /** Takes the lock, then starts the work. If it rejects with BrokerError, the process must end. */
  async start(): Promise<void> {
    await this.control.claim();
    await mkdir(CONNECTORS_FILES.state(this.config), { recursive: true, mode: 0o700 });
    const { signal } = this.work;
    const ids = this.config.instances.map(({ instance_id: id }) => id);
    const forgetting = forgetRemoved(this.context, ids, signal);
    this.working = Promise.all([forgetting, ...this.runs.map((run) => run.run(signal))]);
    this.log.info('connectors started', { instances: ids.length });
  }

  ping(): Record<string, unknown> {
    const connectors: ConnectorReport[] = this.runs.map(({ report }) => report);
    return {
      node: this.config.node_id,
      pid: process.pid,
      started_at: STARTED_AT,
      version: CONNECTORS_VERSION,
      config_hash: this.config.config_hash,
      connectors,
    };
  }

  stats(): Record<string, number> {
    const cpu = process.cpuUsage();
    return { memory_bytes: process.memoryUsage.rss(), cpu_seconds: (cpu.user + cpu.system) / 1e6 };
  }

  stop(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    // Only the end of the process releases the lock, so that a successor does not deliver messages that this process is still
    // delivering.
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    this.work.abort();
    void this.working.then(() => {
      this.log.info('connectors stopped');
      process.exit(0);
    });
  }
}
