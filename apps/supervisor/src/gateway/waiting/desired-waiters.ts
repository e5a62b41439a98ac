import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { NodeDocument, NodeId } from '@libs/domain';
import { Notifications } from '@libs/persistence';
import { NodeDocumentsRepository, type Held } from '@libs/persistence/runtime';
import { AgentPresence } from './agent-presence.js';
import { WaitingRequests, type Unanswered, type Waiting } from './waiting-requests.js';

/** Waiting `desired` requests, one for each node. A NOTIFY wakes one of them. */
@Injectable()
export class DesiredWaiters implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new WaitingRequests<NodeId>();
  private stop: (() => void) | undefined;

  constructor(
    private readonly documents: NodeDocumentsRepository,
    private readonly notifications: Notifications,
    private readonly presence: AgentPresence,
  ) {}

  onModuleInit(): void {
    this.stop = this.notifications.on('landlord_documents', (payload) => {
      if (payload === '') this.waiting.wakeAll();
      else this.waiting.wake(Number(payload));
    });
  }

  onModuleDestroy(): void {
    this.stop?.();
    this.waiting.wakeAll();
  }

  /** Returns the node's document when it is newer than the agent's. Waits for it at most `waitMs`. */
  next(nodeId: NodeId, version: Held, waiting: Waiting): Promise<NodeDocument | Unanswered> {
    return this.presence.during(nodeId, waiting.closed, () =>
      this.waiting.next(nodeId, waiting, () => this.documents.find(nodeId, version)),
    );
  }
}
