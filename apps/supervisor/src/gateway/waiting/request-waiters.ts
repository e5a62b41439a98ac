import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { NodeId, NodeRequestId } from '@libs/domain';
import { Notifications } from '@libs/persistence';
import { NodeRequestsRepository, type AnsweredRequest, type OpenRequest } from '@libs/persistence/runtime';
import { AgentPresence } from './agent-presence.js';

/** Waiting `requests` calls of nodes. A NOTIFY wakes the call of its node. The next call reads first, so a lost NOTIFY delays. */
@Injectable()
export class RequestWaiters implements OnModuleInit, OnModuleDestroy {
  private readonly waiting = new Map<NodeId, Set<() => void>>();
  private stop: (() => void) | undefined;

  constructor(
    private readonly requests: NodeRequestsRepository,
    private readonly notifications: Notifications,
    private readonly presence: AgentPresence,
  ) {}

  onModuleInit(): void {
    this.stop = this.notifications.on('landlord_requests', (payload) => this.wake(payload));
  }

  onModuleDestroy(): void {
    this.stop?.();
    this.wake('');
  }

  /** The open requests of a node. Waits for one at most `waitMs`. */
  next(nodeId: NodeId, waitMs: number, closed: AbortSignal): Promise<OpenRequest[]> {
    return this.presence.during(nodeId, closed, () => this.wait(nodeId, waitMs, closed));
  }

  private async wait(nodeId: NodeId, waitMs: number, closed: AbortSignal): Promise<OpenRequest[]> {
    // Waits before the read, so that a request between the two also wakes the call.
    const woken = this.park(nodeId, waitMs, closed);
    const open = await this.requests.listOpen(nodeId);
    if (open.length > 0) {
      woken.cancel();
      return open;
    }
    await woken.done;
    return closed.aborted ? [] : this.requests.listOpen(nodeId);
  }

  /** Stores the answer of a node to its request. */
  async answer(id: NodeRequestId, nodeId: NodeId, answer: AnsweredRequest): Promise<void> {
    await this.requests.answer(id, nodeId, answer);
  }

  private wake(payload: string): void {
    const sets = payload === '' ? [...this.waiting.values()] : [this.waiting.get(Number(payload)) ?? new Set()];
    for (const settle of sets.flatMap((set) => [...set])) settle();
  }

  private park(nodeId: NodeId, waitMs: number, closed: AbortSignal) {
    let settle: () => void = () => undefined;
    const end = new Promise<void>((resolve) => (settle = resolve));
    const timer = setTimeout(settle, waitMs);
    closed.addEventListener('abort', settle, { once: true });
    const set = this.waiting.get(nodeId) ?? new Set();
    this.waiting.set(nodeId, set.add(settle));
    void end.then(() => {
      clearTimeout(timer);
      closed.removeEventListener('abort', settle);
      set.delete(settle);
      if (set.size === 0 && this.waiting.get(nodeId) === set) this.waiting.delete(nodeId);
    });
    return { done: end, cancel: settle };
  }
}
