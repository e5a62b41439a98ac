import type { NodeDocument } from '@libs/domain';
import type { JsonLog } from '../../os/json-log.js';
import type { AgentSession } from './agent-session.js';
import { Backoff } from './backoff.js';
import type { DocumentStore, Refusal } from './document-store.js';
import type { GatewayClient } from './gateway-client.js';
import type { ServerClock } from './server-clock.js';
import { Wakeup } from '../../os/wakeup.js';

/** An unchanged answer that comes earlier was not a long poll. Then the next query waits this long. */
const SHORTEST_ROUND_MS = 1_000;

export interface RefusedDocument {
  timeline: number;
  generation: number;
  hash: string;
  reason: Refusal['reason'];
}

/** Queries the desired document with long polls. Passes an accepted document on after it is durable. */
export class DesiredLoop {
  private readonly backoff = new Backoff();
  private readonly pause = new Wakeup();
  private refusedDocument: RefusedDocument | null = null;

  constructor(
    private readonly session: AgentSession,
    private readonly client: GatewayClient,
    private readonly store: DocumentStore,
    private readonly clock: ServerClock,
    private readonly log: JsonLog,
    private readonly onDocument: (document: NodeDocument) => void,
  ) {}

  /** The last refused document, until a newer one is accepted. */
  get refused(): RefusedDocument | null {
    return this.refusedDocument;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.round(signal);
      } catch (error) {
        await this.session.judge(error, this.backoff, signal);
      }
    }
  }

  private async round(signal: AbortSignal): Promise<void> {
    const { timeline = 0, generation = 0 } = this.store.document ?? {};
    const askedAt = Date.now();
    const answer = await this.client.desired({ timeline, generation }, this.session.identity.authorization, signal);
    // The gateway answers again, so the next failure is a first one. A refused document keeps its growing delays.
    if (answer === null) this.backoff.reset();
    const isTaken = answer !== null && (await this.take(answer.document, signal));
    if (!isTaken && Date.now() - askedAt < SHORTEST_ROUND_MS) await this.pause.sleep(SHORTEST_ROUND_MS, signal);
  }

  /** Returns false when nothing changed. A refused document is queried again with growing delays. */
  private async take(document: NodeDocument, signal: AbortSignal): Promise<boolean> {
    const verdict = await this.store.offer(document, this.clock.offsetMs);
    if (typeof verdict === 'object') {
      await this.refuse(document, verdict.reason, signal);
      return false;
    }
    this.backoff.reset();
    this.refusedDocument = null;
    if (verdict === 'unchanged') return false;
    const { timeline, generation, trace_id: traceId } = document;
    this.log.info('document accepted', { timeline, generation, traceId });
    this.onDocument(document);
    return true;
  }

  private async refuse(document: NodeDocument, reason: Refusal['reason'], signal: AbortSignal): Promise<void> {
    const { timeline, generation, hash } = document;
    this.refusedDocument = { timeline, generation, hash, reason };
    this.log.error('document refused', { reason, timeline, generation });
    await this.pause.sleep(this.backoff.next(), signal);
  }
}
