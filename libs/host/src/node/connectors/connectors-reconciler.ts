import type {
  ConnectorInstanceId,
  ConnectorReport,
  NodeConnectors,
  NodeDocument,
  RuntimeReport,
  RuntimeStatus,
  StatusRequest,
} from '@libs/domain';
import { ConnectorsRuntime, type ConnectorsContact, type ConnectorsSpec } from '../../connectors/connectors.runtime.js';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import type { NodeHome } from '../../control/node-home.js';
import { ConnectorsProbe } from './connectors-probe.js';
import { connectorReports } from './connector-reports.js';
import { isOverdue, isStarting, type SupervisedProcess } from '../broker/supervised-process.js';
import { exitReason } from '../broker/exit-reason.js';
import { MemoryGuard } from '../broker/memory-guard.js';
import { ChangeDetector } from '../change-detector.js';
import { StartPacer } from '../broker/start-pacer.js';
import { Wakeup } from '../../os/wakeup.js';
import { specOf, type ConnectorsMachine } from './connectors-spec.js';

const TEND_MS = 1_000;
const START_POLL_MS = 40;
const IDLE_MS = 60_000;
const STOP_DEADLINE_MS = 8_000;
/** Memory limit of the process. Lower where the node has less. */
const MEMORY_MIB = 256;
const NONE: NodeConnectors = { want: 'running', restart: 0, instances: [] };
/** Keeps the node's connectors process as in the document, level-triggered. A stop of the broker does not stop it. */
export class ConnectorsReconciler {
  private readonly runtime = new ConnectorsRuntime();
  private readonly pacer = new StartPacer();
  private readonly wakeup = new Wakeup();
  private readonly memory = new MemoryGuard('the connectors');
  private readonly probe: ConnectorsProbe;
  private document: NodeDocument | null = null;
  private observedDocument: StatusRequest['observed'] = { timeline: 0, generation: 0, hash: '' };
  private contact: ConnectorsContact | null = null;
  private kept: SupervisedProcess | null = null;
  private status: RuntimeStatus = 'stopped';
  private restarts = 0;
  private lastError: string | null = null;
  private moved: ReadonlyMap<ConnectorInstanceId, { messages: number; failed: number }> = new Map();
  private readonly detector: ChangeDetector;

  constructor(
    private readonly home: NodeHome,
    private readonly machine: ConnectorsMachine,
    private readonly log: JsonLog,
    onChange: () => void,
  ) {
    this.detector = new ChangeDetector(onChange);
    this.probe = new ConnectorsProbe(this.runtime, home, log);
  }

  setDesired(document: NodeDocument): void {
    this.document = document;
    this.pacer.reset();
    this.wakeup.wakeUp();
  }

  /** A part of the program has come or has failed. */
  wakeUp(): void {
    this.wakeup.wakeUp();
  }

  /** Runs until the signal aborts. Then leaves the connectors running. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.guardedPass();
      this.tell();
      await this.wakeup.sleep(waitMs, signal);
    }
  }

  /** Stops the connectors at the end of the node, independent of the document. */
  async stopConnectors(): Promise<void> {
    await this.runtime.stop(this.home, STOP_DEADLINE_MS);
    this.report('stopped');
  }

  /** The newest document whose connectors run as wanted, or failed. */
  get observed(): StatusRequest['observed'] {
    return this.observedDocument;
  }

  /** Null while the document has no connectors. */
  runtimeReport(): RuntimeReport | null {
    if (!this.document?.spec.connectors) return null;
    return {
      runtime: 'connectors',
      status: this.status,
      version: this.contact?.version ?? this.runtime.version,
      started_at: this.contact?.startedAt ?? null,
      pid: this.contact?.pid ?? null,
      restarts: this.restarts,
      last_error: this.lastError,
    };
  }

  /** Reports of all instances in the document. Null while it has no connectors. */
  reports(): ConnectorReport[] | null {
    const desired = this.document?.spec.connectors;
    if (!desired) return null;
    const { moved, lastError: reason, pacer, machine } = this;
    const absent = machine.programs?.absent ?? new Map();
    const unspoken = { isHopeless: pacer.isHopeless, reason, moved, absent };
    return connectorReports(desired, this.contact?.connectors ?? [], unspoken);
  }

  /** `memory_bytes` and `cpu_seconds` of the connectors process. Empty when it does not run. */
  async stats(): Promise<Record<string, number>> {
    return this.contact ? this.runtime.stats(this.home).catch(() => ({})) : {};
  }

  private async guardedPass(): Promise<number> {
    if (!this.document) return IDLE_MS;
    try {
      return await this.pass(this.document);
    } catch (error) {
      this.report('failed', reasonOf(error));
      return TEND_MS;
    }
  }

  /** One check and one action. Returns the time until the next pass, in milliseconds. */
  private async pass(document: NodeDocument): Promise<number> {
    const desired = document.spec.connectors ?? NONE;
    const contact = await this.probe.query();
    if (!(await this.probe.isNeeded(desired))) return this.keepStopped(document, desired, contact);
    const spec = await specOf(this.home, document.spec, desired, this.machine);
    if ('reason' in spec) return this.settle(document, spec.status, spec.reason);
    if (contact === null) return this.revive(document, spec);
    this.kept ??= { sinceMs: Date.parse(contact.startedAt), isOwn: false, wasAsked: true, exit: null };
    this.kept.wasAsked = true;
    if (contact.configHash !== this.runtime.render(this.home, spec).hash) return this.change(contact, spec);
    if (spec.program) await this.machine.programs?.keepOnly(spec.program);
    return this.tend(document, contact);
  }

  private async keepStopped(document: NodeDocument, desired: NodeConnectors, contact: ConnectorsContact | null) {
    this.machine.programs?.rest();
    if (contact || this.kept) await this.runtime.stop(this.home, STOP_DEADLINE_MS);
    this.kept = null;
    this.moved = await this.runtime.moved(this.home, desired);
    this.settle(document, 'stopped');
    return IDLE_MS;
  }

  /** A change of instances restarts only these. Any other change restarts the process. */
  private async change({ baseHash }: ConnectorsContact, spec: ConnectorsSpec): Promise<number> {
    const isSame = baseHash === this.runtime.render(this.home, spec).baseHash;
    if (!isSame || !(await this.runtime.apply(this.home, spec))) return this.replace();
    this.log.info('connectors take a change without a restart');
    return 0;
  }

  private async replace(): Promise<number> {
    this.log.info('connectors restart for a change');
    this.report('starting');
    await this.runtime.stop(this.home, STOP_DEADLINE_MS);
    [this.kept, this.contact] = [null, null];
    return 0;
  }

  private async tend(document: NodeDocument, contact: ConnectorsContact): Promise<number> {
    const limit = Math.min(MEMORY_MIB, document.spec.broker.limits?.memory_mib ?? MEMORY_MIB);
    const excess = await this.memory.excess(contact.pid, limit);
    if (excess !== null && this.kept) {
      await this.runtime.kill(this.home);
      await this.noteDeath(this.kept, excess);
      return START_POLL_MS;
    }
    this.contact = contact;
    return this.settle(document, 'running');
  }

  /** The document is applied as far as possible. */
  private settle(document: NodeDocument, status: RuntimeStatus, error: string | null = null): number {
    this.report(status, error);
    this.observe(document);
    return TEND_MS;
  }

  /** No connectors process answers: it was never started, is still starting, or has died. */
  private async revive(document: NodeDocument, spec: ConnectorsSpec): Promise<number> {
    if (isStarting(this.kept)) return isOverdue(this.kept) ? this.end() : START_POLL_MS;
    if (this.kept) {
      await this.noteDeath(this.kept);
      this.observe(document);
    }
    this.contact = null;
    this.moved = await this.runtime.moved(this.home, spec.connectors);
    const delayMs = this.pacer.delayMs(Date.now());
    this.report(this.pacer.isHopeless ? 'failed' : 'starting', this.lastError);
    if (delayMs > 0) return delayMs;
    await this.start(document, spec);
    return START_POLL_MS;
  }

  private async start({ generation }: NodeDocument, spec: ConnectorsSpec): Promise<void> {
    const runnerProcess: SupervisedProcess = { sinceMs: Date.now(), isOwn: true, wasAsked: false, exit: null };
    const { pid, exited } = await this.runtime.start(this.home, spec);
    this.kept = runnerProcess;
    this.log.info('connectors started', { pid, generation });
    void exited.then((exit) => {
      runnerProcess.exit = exit;
      this.wakeup.wakeUp();
    });
  }

  private async noteDeath(runnerProcess: SupervisedProcess, reason?: string): Promise<void> {
    this.kept = null;
    this.contact = null;
    this.restarts += 1;
    this.lastError =
      reason ?? (await exitReason(this.runtime.logFile(this.home), runnerProcess.exit, 'the connectors'));
    this.pacer.ended(Date.now() - runnerProcess.sinceMs, Date.now());
    this.log.error('connectors ended', { reason: this.lastError, restarts: this.restarts });
  }

  private async end(): Promise<number> {
    this.log.error('connectors did not start in time');
    await this.runtime.kill(this.home);
    return START_POLL_MS;
  }

  private observe({ timeline, generation, hash }: NodeDocument): void {
    this.observedDocument = { timeline, generation, hash };
  }

  private report(status: RuntimeStatus, error: string | null = null): void {
    this.status = status;
    this.lastError = error;
    if (status === 'stopped') this.contact = null;
  }

  /** Every change except of the counters triggers a status at once. */
  private tell(): void {
    const reports = this.reports()?.map(({ instance_id, status, config_id, error }) => {
      return { instance_id, status, config_id, error };
    });
    this.detector.show(this.status, this.observedDocument, reports);
  }
}
