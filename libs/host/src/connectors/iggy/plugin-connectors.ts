import type { ConnectorInstanceId, ConnectorReport, NodeConnector } from '@libs/domain';
import { canonicalHash } from '../../os/canonical-hash.js';
import { IggyAdmin } from '../../brokers/iggy/server/iggy-admin.js';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import { pluginsName, type NodeHome } from '../../control/node-home.js';
import { endProcesses } from '../../os/end-processes.js';
import { pause } from '../delivery/pause.js';
import { RetryPace } from '../delivery/retry-pace.js';
import type { IggyAccess, IggyWay } from './iggy-access.js';
import type { RuntimeProgram } from './iggy-part.js';
import { ensureTopic } from './iggy-topics.js';
import { PluginInstance } from './plugin-instance.js';
import { pluginsBeside, whyNotLoaded } from './plugin-libraries.js';
import { PluginCounts, readPluginCounts } from './plugin-counts.js';
import { RefusedConfiguration, RuntimeApi } from './runtime-api.js';
import { lostIn, namedIn, type Panic, type RuntimeLine } from './runtime-lines.js';
import type { RuntimeProcess } from './runtime-process.js';
import { RuntimeStarter } from './runtime-starter.js';

const TICK_MS = 500;
const STOP_MS = 2_000;
/** A start that takes longer has failed. */
const START_MS = 20_000;
/** A process that ran this long ends a series of failed starts. */
const GOOD_MS = 60_000;
/** After this number of failed starts connectors are failed, and no longer starting. */
const HOPELESS = 3;

/** What the plugins of a node need. */
export interface PluginsSetup {
  home: NodeHome;
  /** Null: this machine has no iggy-connectors. */
  program: RuntimeProgram | null;
  access: IggyAccess;
  allowPrivate: boolean;
  log: JsonLog;
}

/**
 * Runs the connectors whose plugin is a library, in one iggy-connectors process, which is unmodified. A changed configuration or a
 * panic restarts only its connector. Another set of connectors, another address of the broker and another token restart the process,
 * which continues where it was.
 */
export class PluginConnectors {
  private readonly instances = new Map<ConnectorInstanceId, PluginInstance>();
  private readonly starter: RuntimeStarter;
  private readonly pace = new RetryPace();
  private process: RuntimeProcess | null = null;
  private api: RuntimeApi | null = null;
  /** Keys of connectors by the id that the process gave them. */
  private readonly ids = new Map<number, string>();
  private loaded: { set: string; way: string; keys: Set<string> } | null = null;
  private failures = 0;
  private notBeforeMs = 0;
  private memory = 0;
  private ensured = '';
  private readonly counts: PluginCounts;

  constructor(private readonly setup: PluginsSetup) {
    this.counts = new PluginCounts(setup.home);
    this.starter = new RuntimeStarter(setup.home, setup.log);
  }

  get reports(): ConnectorReport[] {
    return [...this.instances.values()].map(({ report }) => report);
  }

  /** Bytes of the process. 0 when it does not run. */
  get memoryBytes(): number {
    return this.process === null ? 0 : this.memory;
  }

  /** Replaces the connectors. The others continue. */
  async set(connectors: readonly NodeConnector[]): Promise<void> {
    const counts = await readPluginCounts(this.setup.home);
    const instanceIds = new Set(connectors.map(({ instance_id: id }) => id));
    for (const id of this.instances.keys()) if (!instanceIds.has(id)) this.instances.delete(id);
    for (const connector of connectors) {
      const { instance_id: id } = connector;
      const before = counts.get(id) ?? { messages: 0, failed: 0 };
      const instance = this.instances.get(id) ?? new PluginInstance(connector, before);
      instance.take(connector);
      this.instances.set(id, instance);
    }
  }

  /** Works until the signal aborts, then ends the process. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.pass().catch((error: unknown) => this.away(reasonOf(error)));
      await this.keepCounts();
      await pause(TICK_MS, signal);
    }
    await this.end();
    await this.keepCounts(true);
    await this.starter.close();
  }

  private async pass(): Promise<void> {
    if (this.process?.ended != null) this.died(this.process);
    const runnable = await this.runnable();
    if (runnable.length === 0) return this.end();
    const way = await this.setup.access.way();
    const connectors = runnable.map((instance) => instance.offer());
    const set = canonicalHash(connectors.map(({ key, type, plugin }) => [key, type, plugin]));
    await this.ensureTopics(connectors, way);
    this.starter.serve(connectors);
    if (this.process && (this.loaded?.set !== set || this.loaded.way !== way.hash)) await this.end();
    if (this.process === null) return this.start(connectors, way, set);
    await this.tend(runnable, this.process);
  }

  /** The connectors that the runtime may load. Tells the others why not. */
  private async runnable(): Promise<PluginInstance[]> {
    const { program, allowPrivate } = this.setup;
    const there = program === null ? [] : await pluginsBeside(program.path);
    return [...this.instances.values()].filter((instance) => {
      const { connector } = instance;
      const refusal = whyNotLoaded(connector, there, allowPrivate);
      if (!connector.config.values.enabled) instance.rest();
      else if (refusal !== null) instance.fail(refusal);
      const isLeftOut = instance.isRefused && this.loaded?.keys.has(connector.key) !== true;
      return connector.config.values.enabled && refusal === null && !isLeftOut;
    });
  }

  /** A sink whose stream is missing would end the process. Looks once for each configuration and server. */
  private async ensureTopics(connectors: readonly NodeConnector[], way: IggyWay): Promise<void> {
    const streams = connectors.flatMap(({ config }) => config.values.streams);
    const ensured = canonicalHash([streams, way.hash]);
    if (ensured === this.ensured) return;
    const admin = new IggyAdmin(way.http, { token: way.token });
    for (const { stream, topics } of streams) for (const topic of topics) await ensureTopic(admin, stream, topic);
    this.ensured = ensured;
  }

  private async start(connectors: readonly NodeConnector[], way: IggyWay, set: string): Promise<void> {
    const { program, log } = this.setup;
    if (program === null || Date.now() < this.notBeforeMs) return;
    for (const instance of this.instances.values()) instance.processBegins();
    const events = { line: (line: RuntimeLine) => this.hear(line), panic: (panic: Panic) => this.panicked(panic) };
    this.process = await this.starter.start(program, way, events);
    this.loaded = { set, way: way.hash, keys: new Set(connectors.map(({ key }) => key)) };
    log.info('iggy-connectors started', { pid: this.process.pid, connectors: connectors.length });
  }

  private async tend(runnable: readonly PluginInstance[], process: RuntimeProcess): Promise<void> {
    if (process.api === null) {
      if (Date.now() - process.startedAtMs > START_MS) await this.end();
      return;
    }
    this.api ??= new RuntimeApi(process.api, this.starter.apiKey);
    const stats = await this.api.stats();
    this.memory = stats.memory_usage;
    for (const instance of runnable) {
      const { type, key } = instance.connector;
      instance.observe(
        stats.connectors.find((stat) => stat.key === key && stat.connector_type === type),
        Date.now(),
      );
    }
    for (const instance of runnable) await this.restartIfDue(instance, this.api);
    if (Date.now() - process.startedAtMs > GOOD_MS) this.calm();
  }

  /** When the runtime cannot restart the connector, its process restarts. */
  private async restartIfDue(instance: PluginInstance, api: RuntimeApi): Promise<void> {
    if (!instance.isRestartDue(Date.now())) return;
    const { type, key } = instance.connector;
    try {
      await api.restart(type, key);
      instance.restarted(Date.now());
      this.setup.log.info('connector restarted', { connector: key });
    } catch (error) {
      if (error instanceof RefusedConfiguration) return instance.refuse(error.message);
      this.setup.log.warn('iggy-connectors restarts', { reason: reasonOf(error) });
      await this.end();
    }
  }

  private died(process: RuntimeProcess): void {
    const reason = process.ended ?? '';
    const refused = this.instanceOf(process.refused);
    this.forgetProcess();
    if (refused) {
      // The others start without it, at once.
      this.setup.log.error('iggy-connectors refused a connector', { connector: refused.connector.key, reason });
      return refused.refuse(reason);
    }
    this.failures += 1;
    this.notBeforeMs = Date.now() + this.pace.nextMs();
    // The server may have refused the token.
    this.setup.access.forget();
    this.setup.log.error('iggy-connectors ended', { reason, failures: this.failures });
    this.away(`iggy-connectors ended: ${reason}`);
  }

  /** Connectors that should work cannot, for a reason outside of them. */
  private away(reason: string): void {
    for (const instance of this.instances.values()) {
      const isConcerned = !['stopped', 'failed'].includes(instance.report.status);
      if (this.failures >= HOPELESS) instance.fail(reason);
      else if (isConcerned) instance.wait(reason);
    }
  }

  private async end(): Promise<void> {
    if (this.process === null) return;
    await endProcesses({ name: pluginsName(this.setup.home) }, { graceMs: STOP_MS });
    this.forgetProcess();
  }

  private forgetProcess(): void {
    [this.process, this.api, this.loaded] = [null, null, null];
    this.ids.clear();
  }

  private calm(): void {
    this.failures = 0;
    this.pace.reset();
  }

  private hear({ level, text, connector }: RuntimeLine): void {
    const named = namedIn(text);
    if (named) this.ids.set(named.id, named.key);
    const key = connector === null ? undefined : this.ids.get(connector);
    if (level === 'error' && key !== undefined) this.instanceOf(key)?.note(text, lostIn(text));
  }

  private instanceOf(key: string | null): PluginInstance | undefined {
    return [...this.instances.values()].find(({ connector }) => connector.key === key);
  }

  private panicked(panic: Panic): void {
    for (const instance of this.instances.values()) instance.suspect(panic, Date.now());
  }

  private async keepCounts(last = false): Promise<void> {
    const counts = new Map([...this.instances].map(([id, { counts: count }]) => [id, count]));
    await this.counts.keep(counts, last).catch(() => undefined);
  }
}
