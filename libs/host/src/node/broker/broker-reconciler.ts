import type { NodeDocument, RefusedLogins, RuntimeReport, RuntimeStatus, StatusRequest } from '@libs/domain';
import { brokerRuntimeOf, type BrokerBinaries } from '../../brokers/broker-runtimes.js';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import type { BrokerContact, BrokerRuntime, GateState } from '../../control/broker-runtime.js';
import type { NodeHome } from '../../control/node-home.js';
import { ConfigCheck } from './config-check.js';
import { gateStateOf, reconcileGate } from './reconcile-gate.js';
import { isOverdue, isStarting, type SupervisedProcess } from './supervised-process.js';
import { exitReasonOf } from './exit-reason.js';
import { HealthProbe } from './health-probe.js';
import { MemoryGuard } from './memory-guard.js';
import type { ServerClock } from '../gateway/server-clock.js';
import { StartPacer } from './start-pacer.js';
import type { Mutex } from '../../os/mutex.js';
import { Wakeup } from '../../os/wakeup.js';

/** The exit of the agent's own child is reported at once. An adopted process must be checked more often. */
const TEND_OWN_MS = 2_000;
const TEND_ADOPTED_MS = 1_000;
const START_POLL_MS = 40;
const IDLE_MS = 60_000;
const STOP_DEADLINE_MS = 8_000;

/**
 * Keeps the node's broker in the state of the document. Level-triggered: each pass checks the running broker and takes one step
 * to the wanted state. So it does not matter which process started the broker, or whether this agent saw its exit.
 */
export class BrokerReconciler {
  private readonly pacer = new StartPacer();
  private readonly wakeup = new Wakeup();
  private readonly memory = new MemoryGuard();
  private readonly probe = new HealthProbe();
  private readonly check: ConfigCheck;
  private document: NodeDocument | null = null;
  private observedDocument: StatusRequest['observed'] = { timeline: 0, generation: 0, hash: '' };
  private contact: BrokerContact | null = null;
  private kept: SupervisedProcess | null = null;
  private status: RuntimeStatus = 'stopped';
  private restarts = 0;
  private lastError: string | null = null;
  private gateGeneration = 0;

  constructor(
    private readonly home: NodeHome,
    private readonly binaries: BrokerBinaries,
    private readonly clock: ServerClock,
    private readonly log: JsonLog,
    private readonly turn: Mutex,
    private readonly onChange: () => void,
  ) {
    this.check = new ConfigCheck(home, log, onChange);
  }

  setDesired(document: NodeDocument): void {
    this.document = document;
    this.pacer.reset();
    this.wakeup.wakeUp();
  }

  /** Runs until the signal aborts. Then leaves the broker running. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.wakeup.sleep(await this.turn.run(() => this.guardedPass()), signal);
  }

  /** Stops the broker at the end of the node, independent of the document. */
  async stopBroker(): Promise<void> {
    if (this.document) await this.runtime(this.document).stop(this.home, STOP_DEADLINE_MS);
    this.report('stopped');
  }

  get observed(): StatusRequest['observed'] {
    return this.observedDocument;
  }

  /** The place of the gate, and the newest generation whose rules it applies. */
  get gate(): { mode: BrokerRuntime['gate']; generation: number } {
    return { mode: this.document ? this.runtime(this.document).gate : 'inline', generation: this.gateGeneration };
  }

  runtimeReport(): RuntimeReport {
    return {
      runtime: 'broker',
      status: this.status,
      version: this.contact?.version ?? this.document?.spec.broker.version ?? '',
      started_at: this.contact?.startedAt ?? null,
      pid: this.contact?.pid ?? null,
      restarts: this.restarts,
      last_error: this.lastError,
    };
  }

  /** Gauges of the broker, and its data directory. Empty when the broker does not run. */
  async stats(): Promise<{ gauges: Record<string, number>; dataDirectory: string | null }> {
    if (!this.document || !this.contact) return { gauges: {}, dataDirectory: null };
    const runtime = this.runtime(this.document);
    const gauges = await runtime.stats(this.home).catch(() => ({}));
    return { gauges, dataDirectory: runtime.dataDirectory(this.home) };
  }

  private async guardedPass(): Promise<number> {
    if (!this.document) return IDLE_MS;
    try {
      return await this.pass(this.document, this.runtime(this.document));
    } catch (error) {
      this.report('failed', reasonOf(error));
      return TEND_ADOPTED_MS;
    }
  }

  /** One check and one action. Returns the time until the next pass, in milliseconds. */
  private async pass(document: NodeDocument, runtime: BrokerRuntime): Promise<number> {
    const contact = await this.query(runtime);
    if (document.spec.broker.want === 'stopped') return this.keepStopped(document, runtime, contact);
    if (contact === null) return this.revive(document, runtime);
    this.contact = contact;
    this.kept ??= { sinceMs: Date.parse(contact.startedAt), isOwn: false, wasAsked: true, exit: null };
    this.kept.wasAsked = true;
    const rendered = runtime.render(this.home, document.spec, this.gateOf(document));
    if (contact.configHash !== rendered.hash) return this.replace(document, runtime, contact, rendered.hash);
    return this.tend(document, runtime, contact);
  }

  private query(runtime: BrokerRuntime): Promise<BrokerContact | null> {
    return this.probe.query({
      contact: () => runtime.contact(this.home),
      end: async (error) => {
        this.log.warn('broker does not respond, the agent stops it', { reason: reasonOf(error) });
        await runtime.kill(this.home);
      },
    });
  }

  /** The newest sign-ins that the broker has refused. */
  get refusedLogins(): RefusedLogins[] {
    return this.contact?.refusedLogins ?? [];
  }

  private async keepStopped(document: NodeDocument, runtime: BrokerRuntime, contact: BrokerContact | null) {
    // Also stops a broker that was started and does not answer yet.
    if (contact || this.kept) await runtime.stop(this.home, STOP_DEADLINE_MS);
    this.kept = null;
    this.report('stopped');
    this.observe(document);
    return IDLE_MS;
  }

  /** A setting changed that needs a restart. A configuration that the broker would refuse does not replace a running one. */
  private async replace(document: NodeDocument, runtime: BrokerRuntime, contact: BrokerContact, hash: string) {
    const refusal = await this.check.refusalOf(runtime, document.spec, this.gateOf(document), hash);
    if (refusal !== null) {
      // The old broker continues with the new access rules. The document is not reported as applied.
      await reconcileGate(runtime, this.home, contact, this.gateOf(document));
      this.report(contact.ready ? 'running' : 'starting', refusal);
      return TEND_ADOPTED_MS;
    }
    this.log.info('broker restarts for a change');
    this.report('starting');
    await runtime.stop(this.home, STOP_DEADLINE_MS);
    this.kept = null;
    return 0;
  }

  private async tend(document: NodeDocument, runtime: BrokerRuntime, contact: BrokerContact): Promise<number> {
    const excess = await this.memory.excess(contact.pid, document.spec.broker.limits?.memory_mib);
    if (excess !== null && this.kept) {
      await runtime.kill(this.home);
      await this.noteDeath(this.kept, runtime, excess);
      return START_POLL_MS;
    }
    await reconcileGate(runtime, this.home, contact, this.gateOf(document));
    if (!contact.listening) {
      this.reportStarting();
      return isOverdue(this.kept) ? this.end(runtime) : START_POLL_MS;
    }
    this.gateGeneration = document.generation;
    this.report(contact.ready ? 'running' : 'starting', contact.reason);
    this.observe(document);
    return this.kept?.isOwn ? TEND_OWN_MS : TEND_ADOPTED_MS;
  }

  /** No broker answers: it was never started, is still starting, or has died. */
  private async revive(document: NodeDocument, runtime: BrokerRuntime): Promise<number> {
    if (isStarting(this.kept)) return isOverdue(this.kept) ? this.end(runtime) : START_POLL_MS;
    if (this.kept) await this.noteDeath(this.kept, runtime);
    const delayMs = this.pacer.delayMs(Date.now());
    this.reportStarting();
    if (delayMs > 0) return delayMs;
    await this.start(document, runtime);
    return START_POLL_MS;
  }

  private async start(document: NodeDocument, runtime: BrokerRuntime): Promise<void> {
    const brokerProcess: SupervisedProcess = { sinceMs: Date.now(), isOwn: true, wasAsked: false, exit: null };
    const { pid, exited } = await runtime.start(this.home, document.spec, this.gateOf(document));
    this.kept = brokerProcess;
    this.log.info('broker started', { pid, generation: document.generation });
    void exited.then((exit) => {
      brokerProcess.exit = exit;
      this.wakeup.wakeUp();
    });
  }

  private async noteDeath(brokerProcess: SupervisedProcess, runtime: BrokerRuntime, reason?: string): Promise<void> {
    this.kept = null;
    this.contact = null;
    this.restarts += 1;
    this.lastError = reason ?? (await exitReasonOf(this.home, runtime, brokerProcess));
    this.pacer.ended(Date.now() - brokerProcess.sinceMs, Date.now());
    this.log.error('broker ended', { reason: this.lastError, restarts: this.restarts });
  }

  private async end(runtime: BrokerRuntime): Promise<number> {
    this.log.error('broker did not start in time');
    await runtime.kill(this.home);
    return START_POLL_MS;
  }

  private gateOf(document: NodeDocument): GateState {
    return gateStateOf(document, this.clock.offsetMs);
  }

  private runtime(document: NodeDocument): BrokerRuntime {
    return brokerRuntimeOf(document.spec.broker.driver, this.binaries);
  }

  private observe({ timeline, generation, hash }: NodeDocument): void {
    const before = this.observedDocument;
    this.observedDocument = { timeline, generation, hash };
    if (before.generation !== generation || before.timeline !== timeline) this.onChange();
  }

  /** Keeps the exit reason until the broker runs, because it explains the restart. */
  private reportStarting(): void {
    this.report(this.pacer.isHopeless ? 'failed' : 'starting', this.lastError);
  }

  private report(status: RuntimeStatus, error: string | null = null): void {
    const hasChanged = status !== this.status;
    this.status = status;
    this.lastError = error;
    if (status === 'stopped') this.contact = null;
    if (hasChanged) this.onChange();
  }
}
