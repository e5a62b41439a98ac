import type { JsonLog } from '../../os/json-log.js';
import type { MachineDocument } from '@libs/domain/machine-protocol';
import { Backoff } from '../../node/gateway/backoff.js';
import { Wakeup } from '../../os/wakeup.js';
import type { MachineClient } from './machine-client.js';
import type { MachineDocumentStore } from './machine-document-store.js';
import type { MachineSession } from './machine-session.js';

/** An unchanged answer that comes earlier was not a long poll. Then the next query waits this long. */
const SHORTEST_ROUND_MS = 1_000;

/** Queries the desired document with long polls. Passes a document on after it is durable. */
export class MachineDesiredLoop {
  private readonly backoff = new Backoff();
  private readonly pause = new Wakeup();

  constructor(
    private readonly session: MachineSession,
    private readonly client: MachineClient,
    private readonly store: MachineDocumentStore,
    private readonly log: JsonLog,
    private readonly onDocument: (document: MachineDocument) => void,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.round(signal);
      } catch (error) {
        await this.session.pause(error, this.backoff, signal);
      }
    }
  }

  private async round(signal: AbortSignal): Promise<void> {
    const { generation = 0 } = this.store.document ?? {};
    const askedAt = Date.now();
    const document = await this.client.desired(generation, this.session.authorization, signal);
    await this.session.confirm();
    if (document !== null && (await this.take(document, generation, signal))) return;
    if (Date.now() - askedAt < SHORTEST_ROUND_MS) await this.pause.sleep(SHORTEST_ROUND_MS, signal);
  }

  /** Returns false for a refused document. It is queried again with growing delays. */
  private async take(document: MachineDocument, generation: number, signal: AbortSignal): Promise<boolean> {
    const refusal = await this.store.take(document);
    if (refusal !== null) {
      this.log.error('document refused', { reason: refusal });
      await this.pause.sleep(this.backoff.next(), signal);
      return false;
    }
    this.backoff.reset();
    if (document.generation === generation) return false;
    this.log.info('document accepted', { generation: document.generation, nodes: document.nodes.length });
    this.onDocument(document);
    return true;
  }
}
