import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { NodeDocument, NodeId } from '@libs/domain';
import { Notifications } from '@libs/persistence';
import { NodeDocumentsRepository } from '@libs/persistence/runtime';

/** The document that an agent has. */
export interface Held {
  timeline: number;
  generation: number;
}

/** The result of a waiting request: a newer document, no newer document, or replaced by a newer request of the same node. */
export type Parked = NodeDocument | 'nothing_new' | 'replaced';

interface Waiter {
  wake(): void;
  replace(): void;
}

/**
 * Waiting `desired` requests, one for each node. A NOTIFY wakes one of them. The agent's next request reads the
 * document first, so a lost NOTIFY only delays it.
 */
@Injectable()
export class DesiredWaiters implements OnModuleInit, OnModuleDestroy {
  private readonly waiters = new Map<NodeId, Waiter>();
  private stop: (() => void) | undefined;

  constructor(
    private readonly documents: NodeDocumentsRepository,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.stop = this.notifications.on('landlord_documents', (payload) => {
      if (payload === '') for (const waiter of this.waiters.values()) waiter.wake();
      else this.waiters.get(Number(payload))?.wake();
    });
  }

  onModuleDestroy(): void {
    this.stop?.();
    for (const waiter of this.waiters.values()) waiter.wake();
  }

  /** Returns the node's document when it is newer than the agent's. Waits for it at most `waitMs`. */
  async next(nodeId: NodeId, held: Held, waitMs: number, closed: AbortSignal): Promise<Parked> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      // Starts waiting before the read, so that a document published between the two also wakes the request.
      const woken = this.park(nodeId, Math.max(0, deadline - Date.now()), closed);
      const document = await this.documents.find(nodeId);
      if (document && isNewer(document, held)) {
        woken.cancel();
        return document;
      }
      const reason = await woken.reason;
      if (reason === 'replaced') return 'replaced';
      if (reason === 'over' || closed.aborted) return 'nothing_new';
    }
  }

  private park(nodeId: NodeId, waitMs: number, closed: AbortSignal) {
    this.waiters.get(nodeId)?.replace();
    let settle: (reason: 'woken' | 'over' | 'replaced') => void = () => undefined;
    const reason = new Promise<'woken' | 'over' | 'replaced'>((resolve) => (settle = resolve));
    const timer = setTimeout(() => settle('over'), waitMs);
    const onClosed = (): void => settle('over');
    closed.addEventListener('abort', onClosed, { once: true });
    const waiter: Waiter = { wake: () => settle('woken'), replace: () => settle('replaced') };
    this.waiters.set(nodeId, waiter);
    void reason.then(() => {
      clearTimeout(timer);
      closed.removeEventListener('abort', onClosed);
      if (this.waiters.get(nodeId) === waiter) this.waiters.delete(nodeId);
    });
    return { reason, cancel: () => settle('over') };
  }
}

/** A restored database starts a higher timeline, in which generations start again. */
const isNewer = (document: NodeDocument, held: Held): boolean =>
  document.timeline > held.timeline || (document.timeline === held.timeline && document.generation > held.generation);
