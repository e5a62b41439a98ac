import { Injectable } from '@nestjs/common';
import { type MessageEvent } from '@nestjs/common';
import { DomainError, OPEN_STATUSES, parseId, reachOf, type OperationId } from '@libs/domain';
import { callerName, Page, Shutdown, type ActingCaller, type StillAllowed } from '@libs/http';
import { Notifications } from '@libs/persistence';
import { OperationsRepository, type OperationDetail } from '@libs/persistence/platform';
import { EMPTY, type Observable } from 'rxjs';
import { OperationFeed } from './operation-feed.js';
import type { OperationView } from './operation.view.js';
import type { OperationsQuery } from './operations.query.js';
import { toOperationView } from './to-operation-view.js';

/** Between two reads, because notifications can be lost. */
const POLL_MS = 2_000;

/** Operations that the caller may read, also after the deployment is deleted. */
@Injectable()
export class OperationsService {
  constructor(
    private readonly operations: OperationsRepository,
    private readonly notifications: Notifications,
    private readonly feed: OperationFeed,
    private readonly shutdown: Shutdown,
  ) {}

  async list(actor: ActingCaller, query: OperationsQuery): Promise<Page<OperationView>> {
    const filter = {
      tenantId: actor.tenantId,
      reach: reachOf(actor.caller.holding, 'deployment:read'),
      deploymentId: query.deployment ?? null,
      type: query.type ?? null,
      status: query.status ?? null,
    };
    return Page.of(await this.operations.list(filter, query), toOperationView, query);
  }

  /**
   * Returns the operation when it has ended, or after `wait` seconds.
   * @throws DomainError operation_not_found
   */
  async get(actor: ActingCaller, idText: string, wait: number): Promise<OperationView> {
    const id = parseId(idText) ?? 0;
    const deadline = Date.now() + wait * 1000;
    let operation = await this.find(actor, id);
    while (isOpen(operation) && Date.now() < deadline && !this.shutdown.signal.aborted) {
      await this.changed(id, Math.min(POLL_MS, deadline - Date.now()));
      operation = await this.find(actor, id);
    }
    return toOperationView(operation);
  }

  /**
   * Streams the operation's events after `lastEventId`. The stream ends with the operation, with the caller's right to read it,
   * or with the process. Calls `nothingMore` instead when no event can follow.
   * @throws DomainError operation_not_found, validation_failed, rate_limited
   */
  async follow(
    actor: ActingCaller,
    idText: string,
    lastEventId: string | undefined,
    stillAllowed: StillAllowed,
    nothingMore: () => void,
  ): Promise<Observable<MessageEvent>> {
    const seq = readEventId(lastEventId);
    const operation = await this.find(actor, parseId(idText) ?? 0);
    if (isOpen(operation) || (await this.feed.hasEventsAfter(operation.id, seq)))
      return this.feed.open({ operationId: operation.id, seq, stillAllowed, caller: callerName(actor.caller) });
    nothingMore();
    return EMPTY;
  }

  private async find(actor: ActingCaller, id: OperationId): Promise<OperationDetail> {
    const reach = reachOf(actor.caller.holding, 'deployment:read');
    const operation = id > 0 ? await this.operations.find(actor.tenantId, reach, id) : null;
    if (!operation) throw new DomainError('operation_not_found', 'No such operation.');
    return operation;
  }

  /** Resolves when the operation is reported as ended, or after the time. */
  private async changed(id: OperationId, withinMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        stop();
        this.shutdown.signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, withinMs);
      this.shutdown.signal.addEventListener('abort', finish, { once: true });
      const stop = this.notifications.on('landlord_operations', (payload) => {
        if (payload === '' || Number(payload) === id) finish();
      });
    });
  }
}

const isOpen = ({ status }: OperationDetail): boolean => (OPEN_STATUSES as readonly string[]).includes(status);

/** @throws DomainError validation_failed */
function readEventId(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new DomainError('validation_failed', 'last-event-id must be the number of a received event.');
}
