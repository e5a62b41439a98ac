import type { ConnectorReport, NodeConnector } from '@libs/domain';
import { canonicalHash } from '../../os/canonical-hash.js';
import type { MovedCounts } from '../connector-work.js';
import type { ConnectorStat } from './runtime-api.js';
import { pluginId } from './plugin-libraries.js';
import type { Panic } from './runtime-lines.js';

/** After a panic, counts that stand this long prove that the connector does not work. */
const STANDS_MS = 2_000;
/** Wait before a restart of a connector that panicked. It doubles with each panic up to the longest. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;
/** A connector that worked this long after a restart has overcome its panic. */
const GOOD_MS = 30_000;

interface Suspicion {
  message: string;
  sinceMs: number;
  /** Messages at the time of the panic. */
  moved: number;
}

/**
 * One connector that the plugin runtime runs. The runtime reports a connector whose code panicked as running, with no errors, so its
 * failure is known only by the panic on the error output and by counts that stand.
 */
export class PluginInstance {
  private status: ConnectorReport['status'] = 'starting';
  private error: string | null = null;
  private lastError: string | null = null;
  private base: MovedCounts;
  private current: MovedCounts = { messages: 0, failed: 0 };
  /** Messages that the plugin gave up, and that the runtime counts as processed. */
  private lost = 0;
  private suspicion: Suspicion | null = null;
  private hasPanicked = false;
  private wasRefused = false;
  private waitMs = FIRST_WAIT_MS;
  private restartAtMs = 0;
  private restartedAtMs = 0;
  private version: string;
  /** The configuration that the runtime finds when it looks, and the one that it runs. */
  private offered = '';
  private loaded = '';

  constructor(
    private wanted: NodeConnector,
    before: MovedCounts,
  ) {
    this.base = before;
    this.version = versionOf(wanted);
  }

  get connector(): NodeConnector {
    return this.wanted;
  }

  /** The runtime refused the configuration or its library, and a start with it would end the process. */
  get isRefused(): boolean {
    return this.wasRefused;
  }

  get counts(): MovedCounts {
    const { base, current, lost } = this;
    return {
      messages: Math.max(base.messages, base.messages + current.messages - lost),
      failed: base.failed + current.failed + lost,
    };
  }

  get report(): ConnectorReport {
    const { instance_id, config } = this.connector;
    return {
      ...{ instance_id, status: this.status, config_id: config.id, error: this.error, ...this.counts },
      last_error: this.lastError,
    };
  }

  /** Another configuration. Until the runtime has it the connector is starting, so that nobody takes the old state for its state. */
  take(connector: NodeConnector): void {
    const version = versionOf(connector);
    if (version !== this.version) {
      this.wasRefused = false;
      this.wait('the connector takes its configuration');
    }
    [this.wanted, this.version] = [connector, version];
  }

  /** What the runtime gets at its next start, or at the next restart of the connector. */
  offer(): NodeConnector {
    this.offered = this.version;
    return this.wanted;
  }

  /** The counts of the runtime begin again with each of its processes. */
  processBegins(): void {
    this.loaded = this.offered;
    this.base = this.counts;
    [this.current, this.lost] = [{ messages: 0, failed: 0 }, 0];
    this.forgive();
  }

  rest(): void {
    [this.status, this.error] = ['stopped', null];
  }

  wait(reason: string | null): void {
    [this.status, this.error] = ['starting', reason];
  }

  fail(reason: string): void {
    [this.status, this.error, this.lastError] = ['failed', reason, reason];
  }

  /** Until another configuration, or the next connectors process. */
  refuse(reason: string): void {
    this.wasRefused = true;
    this.fail(reason);
  }

  /** An error in the log of the plugin, which does not stop it. */
  note(problem: string, lost: number): void {
    this.lastError = problem;
    this.lost += lost;
  }

  /** The code of the plugin panicked. It may be the code of another connector of the same plugin. */
  suspect({ plugin, message }: Panic, nowMs: number): void {
    if (this.hasPanicked || (plugin !== null && plugin !== pluginId(this.connector))) return;
    this.suspicion = { message, sinceMs: nowMs, moved: this.current.messages };
  }

  /** Takes what the runtime says about the connector. Undefined: the runtime does not have it. */
  observe(stat: ConnectorStat | undefined, nowMs: number): void {
    if (this.wasRefused) return;
    if (stat === undefined) return this.wait('the connector is starting');
    const messages = stat.messages_sent ?? stat.messages_processed ?? 0;
    this.current = { messages: Math.max(messages, this.current.messages), failed: stat.errors };
    this.judge(nowMs);
    // The runtime calls a connector running whose code panicked. The counts decide.
    if (this.suspicion !== null || this.isStale) return;
    if (stat.status === 'running') [this.status, this.error] = ['running', null];
    else if (stat.status === 'error') this.fail(this.lastError ?? 'the plugin reports an error');
    else this.wait(`the plugin is ${stat.status}`);
  }

  /** Whether a restart of this connector alone is due: it has another configuration, or its wait after a panic is over. */
  isRestartDue(nowMs: number): boolean {
    if (this.wasRefused) return false;
    return this.isStale || (this.hasPanicked && nowMs >= this.restartAtMs);
  }

  /** The connector begins again. Until it works or panics again it is starting. */
  restarted(nowMs: number): void {
    this.loaded = this.offered;
    this.forgive();
    this.restartedAtMs = nowMs;
    this.wait('the connector is starting');
  }

  private get isStale(): boolean {
    return this.loaded !== this.version;
  }

  private forgive(): void {
    [this.suspicion, this.hasPanicked] = [null, false];
  }

  private judge(nowMs: number): void {
    const { suspicion } = this;
    if (suspicion === null) {
      if (nowMs - this.restartedAtMs > GOOD_MS) this.waitMs = FIRST_WAIT_MS;
      return;
    }
    if (this.current.messages > suspicion.moved) return this.forgive();
    if (this.hasPanicked || nowMs - suspicion.sinceMs < STANDS_MS) return;
    this.hasPanicked = true;
    this.restartAtMs = nowMs + this.waitMs;
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
    this.fail(suspicion.message);
  }
}

/** Everything of a connector that the runtime reads again at a restart of the connector. */
const versionOf = ({ config }: NodeConnector): string => canonicalHash(config);
