import { mkdir } from 'node:fs/promises';
import type { ConnectorInstanceId, ConnectorReport, DeadLetterAnswer, DeadLetterRequest } from '@libs/domain';
import { BrokerError } from '../control/broker-error.js';
import { canonicalHash } from '../os/canonical-hash.js';
import { ControlServer, type Controlled } from '../control/control-server.js';
import { reasonOf, type JsonLog } from '../os/json-log.js';
import type { ConnectorContext } from './connector-work.js';
import { ConnectorRun } from './connector-run.js';
import { CONNECTORS_FILES } from './connectors-files.js';
import { CONNECTORS_VERSION, readConnectorsConfig, type ConnectorsConfig } from './connectors-config.js';
import { DeadLetters } from './delivery/dead-letters.js';
import { forgetRemoved } from './delivery/forget-removed.js';
import { IggyAccess } from './iggy/iggy-access.js';
import { isPlugin } from './iggy/iggy-part.js';
import { PluginConnectors } from './iggy/plugin-connectors.js';

const STARTED_AT = new Date(Date.now() - process.uptime() * 1000).toISOString();
/** Limit for a graceful stop. After it the process ends, and an unfinished request may be repeated later. */
const STOP_DEADLINE_MS = 5_000;
const EXPIRE_MS = 3_600_000;

interface Running {
  run: ConnectorRun;
  /** Hash of the instance's part of the document. */
  hash: string;
  end: AbortController;
  done: Promise<void>;
}

/** Runs all connectors of a node in one process, like the upstream runtime. A change of one instance restarts only that one. */
export class ConnectorsProcess implements Controlled {
  private readonly control: ControlServer;
  private readonly running = new Map<ConnectorInstanceId, Running>();
  private context: ConnectorContext | null = null;
  private forgetting: { end: AbortController; done: Promise<void> } | null = null;
  private isStopping = false;
  /** Null on nodes with another broker than iggy. */
  private plugins: { run: PluginConnectors; end: AbortController; done: Promise<void> } | null = null;

  constructor(
    private config: ConnectorsConfig,
    private readonly log: JsonLog,
  ) {
    this.control = new ControlServer(this.home, 'connectors', this);
  }

  /** Takes the lock, then starts the work. If it rejects with BrokerError, the process must end. */
  async start(): Promise<void> {
    await this.control.claim();
    await mkdir(CONNECTORS_FILES.state(this.config), { recursive: true, mode: 0o700 });
    const letters = await DeadLetters.open(this.config);
    setInterval(() => void letters.expire(Date.now()).catch(() => undefined), EXPIRE_MS).unref();
    const { inlet, credentials, deployment_id: deploymentId, allow_private: allowPrivate } = this.config;
    const access = this.config.iggy ? new IggyAccess(this.home, this.config.iggy.accounts) : null;
    this.context = {
      access: { home: this.home, inlet, credentials, iggy: access },
      deploymentId,
      allowPrivate,
      letters,
      log: this.log,
    };
    if (access) await this.startPlugins(access, allowPrivate);
    this.runAll(this.context);
    this.log.info('connectors started', { instances: this.config.instances.length });
  }

  ping(): Record<string, unknown> {
    const ofPlugins = new Map(this.plugins?.run.reports.map((report) => [report.instance_id, report]));
    const connectors: ConnectorReport[] = this.config.instances.flatMap(
      ({ instance_id: id }) => ofPlugins.get(id) ?? this.running.get(id)?.run.report ?? [],
    );
    return {
      node: this.config.node_id,
      pid: process.pid,
      started_at: STARTED_AT,
      version: CONNECTORS_VERSION,
      config_hash: this.config.config_hash,
      base_hash: this.config.base_hash,
      connectors,
    };
  }

  stats(): Record<string, number> {
    const cpu = process.cpuUsage();
    const memory = process.memoryUsage.rss() + (this.plugins?.run.memoryBytes ?? 0);
    return { memory_bytes: memory, cpu_seconds: (cpu.user + cpu.system) / 1e6 };
  }

  /** Rejects when more than the instances has changed. */
  async apply(): Promise<void> {
    const config = await readConnectorsConfig(CONNECTORS_FILES.config(this.config));
    if (this.context === null || this.isStopping || config.base_hash !== this.config.base_hash)
      throw new BrokerError('this change needs a restart');
    this.config = config;
    await this.plugins?.run.set(config.instances.filter(isPlugin));
    this.runAll(this.context);
    this.log.info('connectors took a change', { instances: config.instances.length });
  }

  async deadLetters({ instance_id: id, ...request }: DeadLetterRequest): Promise<DeadLetterAnswer> {
    const letters = this.context?.letters;
    if (!letters) throw new BrokerError('the connectors are starting');
    if (request.action === 'list') return { page: await letters.page(id, request.page, request.results) };
    if (request.action === 'delete') return { count: await letters.remove(id, request.ids) };
    const numbers = letters.numbers(id, request.ids);
    if (!this.running.get(id)?.run.replay(numbers)) throw new BrokerError('the connector does not run');
    return { count: numbers.length };
  }

  stop(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    // Only the end of the process releases the lock, so that a successor does not deliver messages that this process is still
    // delivering.
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    const others = [this.forgetting, this.plugins].filter((one) => one !== null);
    const ends = [...this.running.values(), ...others];
    for (const { end } of ends) end.abort();
    void Promise.all(ends.map(({ done }) => done)).then(async () => {
      await this.context?.letters.close();
      this.log.info('connectors stopped');
      process.exit(0);
    });
  }

  private get home() {
    const { dir, installation, node_id: nodeId } = this.config;
    return { dir, installation, nodeId };
  }

  private async startPlugins(access: IggyAccess, allowPrivate: boolean): Promise<void> {
    const { iggy, instances } = this.config;
    const program = iggy?.program ?? null;
    const run = new PluginConnectors({ home: this.home, program, access, allowPrivate, log: this.log });
    await run.set(instances.filter(isPlugin));
    const end = new AbortController();
    this.plugins = { run, end, done: run.run(end.signal) };
  }

  /** Starts new and changed instances. A changed instance starts after its predecessor has ended. */
  private runAll(context: ConnectorContext): void {
    const { instances: all, iggy, absent = [] } = this.config;
    const instances = iggy === undefined ? all : all.filter((instance) => !isPlugin(instance));
    const instanceIds = new Set(instances.map(({ instance_id: id }) => id));
    const removed = [...this.running].filter(([id]) => !instanceIds.has(id));
    for (const [id, { end }] of removed) {
      end.abort();
      this.running.delete(id);
    }
    for (const instance of instances) {
      const isAbsent = absent.includes(instance.instance_id);
      const [hash, before] = [canonicalHash({ instance, isAbsent }), this.running.get(instance.instance_id)];
      if (before?.hash === hash) continue;
      before?.end.abort();
      const [run, end] = [new ConnectorRun(instance, context, isAbsent), new AbortController()];
      const done = (before?.done ?? Promise.resolve()).then(() => run.run(end.signal));
      this.running.set(instance.instance_id, { run, hash, end, done });
    }
    this.forget(context, [...instanceIds], Promise.all(removed.map(([, { done }]) => done)));
  }

  private forget(context: ConnectorContext, instanceIds: ConnectorInstanceId[], ended: Promise<unknown>): void {
    const before = this.forgetting;
    before?.end.abort();
    const end = new AbortController();
    const done = Promise.all([before?.done, ended])
      .then(() => forgetRemoved(context, instanceIds, end.signal))
      .catch((error: unknown) => this.log.error('removed connectors are not cleaned up', { reason: reasonOf(error) }));
    this.forgetting = { end, done };
  }
}
