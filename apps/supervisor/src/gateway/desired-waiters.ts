import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { NodeDocument } from '@libs/domain';
import { Database, Notifications, Secrets } from '@libs/persistence';
import { NodeDocumentsRepository } from '@libs/persistence/runtime';

/** What an agent holds already. */
export interface Held {
  timeline: number;
  generation: number;
}

/** How a parked request ends: with a newer document, without one, or pushed out by a newer request of the same node. */
export type Parked = NodeDocument | 'nothing_new' | 'replaced';

interface Waiter {
  wake(): void;
  replace(): void;
}

/**
 * Parked `desired` requests, one a node. A NOTIFY wakes one; what a lost NOTIFY hides is found by the look with which the
 * agent's next request begins.
 */
@Injectable()
export class DesiredWaiters implements OnModuleInit, OnModuleDestroy {
  private readonly documents: NodeDocumentsRepository;
  private readonly waiters = new Map<number, Waiter>();
  private stop: (() => void) | undefined;

  constructor(
    database: Database,
    secrets: Secrets,
    private readonly notifications: Notifications,
  ) {
    this.documents = new NodeDocumentsRepository(database, secrets);
  }

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

  /** The node's document when it is newer than what the agent holds, waiting for one at most `waitMs`. */
  async next(nodeId: number, held: Held, waitMs: number, closed: AbortSignal): Promise<Parked> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      // Parked before looking: what is published between the look and the wait wakes us all the same.
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

  private park(nodeId: number, waitMs: number, closed: AbortSignal) {
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

/** A restored database starts a higher timeline, in which generations begin anew. */
const isNewer = (document: NodeDocument, held: Held): boolean =>
  document.timeline > held.timeline || (document.timeline === held.timeline && document.generation > held.generation);
