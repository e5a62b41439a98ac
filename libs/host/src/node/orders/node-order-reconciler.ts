import type { NodeDocument, NodeOrder, OrderReport, NodeOrderId } from '@libs/domain';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import { STATUS_TEXTS } from '@libs/domain/agent-protocol';
import { cutText } from '@libs/domain/storable-text';
import { AgentError, GatewayError } from '../agent-error.js';
import { Backoff } from '../gateway/backoff.js';
import { Wakeup } from '../../os/wakeup.js';
import type { OrderJournal } from './order-journal.js';
import type { OrderWork } from './order-work.js';

const IDLE_MS = 60_000;
const NETWORK = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
];

interface Tidying {
  /** Deletes what orders have left that are not among these. */
  tidy: (orders: readonly NodeOrder[]) => Promise<void>;
}

/**
 * Performs the orders of the document one after the other, and stores their results. A disk that takes no result ends nothing: the result
 * is kept, and stored before the next order.
 */
export class NodeOrderReconciler {
  private readonly wakeup = new Wakeup();
  private readonly backoff = new Backoff();
  private document: NodeDocument | null = null;
  private unstored: OrderReport | null = null;
  /** Aborts when the current order is no longer in the document. */
  private current: { id: NodeOrderId; withdrawn: AbortController } | null = null;

  constructor(
    private readonly work: Pick<OrderWork, 'perform'> & Tidying,
    private readonly journal: OrderJournal,
    private readonly log: JsonLog,
    private readonly onEnd: () => void,
  ) {}

  setDesired(document: NodeDocument): void {
    this.document = document;
    if (this.current && !this.orders.some(({ id }) => id === this.current?.id)) this.current.withdrawn.abort();
    this.wakeup.wakeUp();
  }

  /** Results of ended orders that are in the document. */
  get reports(): OrderReport[] {
    return this.journal.reports.filter((report) => this.orders.some(({ id }) => id === report.id));
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.journal.load();
    while (!signal.aborted) await this.wakeup.sleep(await this.guardedStep(signal), signal);
  }

  private async guardedStep(signal: AbortSignal): Promise<number> {
    try {
      return await this.step(signal);
    } catch (error) {
      const waitMs = this.backoff.next();
      this.log.warn('orders wait for the disk', { reason: reasonOf(error), retry_ms: Math.round(waitMs) });
      return waitMs;
    }
  }

  /** One order. Returns the time until the next step, in milliseconds. */
  private async step(signal: AbortSignal): Promise<number> {
    const { document } = this;
    if (!document) return IDLE_MS;
    await this.store();
    await this.journal.keepOnly(this.orders.map(({ id }) => id));
    await this.work.tidy(this.orders);
    const order = this.orders.find(({ id }) => !this.journal.has(id));
    if (!order) return IDLE_MS;
    const withdrawn = new AbortController();
    this.current = { id: order.id, withdrawn };
    try {
      return await this.carryOut(order, document, AbortSignal.any([signal, withdrawn.signal]));
    } finally {
      this.current = null;
    }
  }

  private async carryOut(order: NodeOrder, document: NodeDocument, signal: AbortSignal): Promise<number> {
    const { id, kind } = order;
    try {
      const parts = await this.work.perform(order, document, signal);
      this.unstored = { id, status: 'done', error: null, parts };
      this.log.info('order done', { order: id, kind });
    } catch (error) {
      if (signal.aborted) return 0;
      if (isPassing(error)) return this.patience(order, error);
      const reason = cutText(reasonOf(error), STATUS_TEXTS.reason);
      this.unstored = { id, status: 'failed', error: reason, parts: {} };
      this.log.error('order failed', { order: id, kind, reason });
    }
    await this.store();
    return 0;
  }

  private async store(): Promise<void> {
    if (this.unstored === null) return;
    await this.journal.end(this.unstored);
    this.unstored = null;
    this.backoff.reset();
    this.onEnd();
  }

  private patience({ id, kind }: NodeOrder, error: unknown): number {
    const waitMs = this.backoff.next();
    this.log.warn('order starts again', { order: id, kind, reason: reasonOf(error), retry_ms: Math.round(waitMs) });
    return waitMs;
  }

  private get orders(): readonly NodeOrder[] {
    return this.document?.spec.orders ?? [];
  }
}

/** A failure of the gateway or of the connection to it. It ends without intervention, so a retry makes sense. */
function isPassing(error: unknown): boolean {
  if (error instanceof GatewayError || error instanceof AgentError) return true;
  return NETWORK.includes((error as NodeJS.ErrnoException).code ?? '');
}
