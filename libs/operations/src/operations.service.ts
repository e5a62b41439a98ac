import { Injectable } from '@nestjs/common';
import { DomainError, OPEN_STATUSES, parseId, reachOf } from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import { Database, Notifications } from '@libs/persistence';
import { OperationsRepository, type OperationDetail } from '@libs/persistence/platform';
import type { OperationView } from './operation.view.js';
import type { OperationsQuery } from './operations.query.js';
import { toOperationView } from './to-operation-view.js';

/** A lost notification is repaired by looking again this often. */
const LOOK_AGAIN_MS = 2_000;

/** Operations as callers read them: within what they may see, also after the deployment is gone. */
@Injectable()
export class OperationsService {
  private readonly operations: OperationsRepository;

  constructor(
    database: Database,
    private readonly notifications: Notifications,
  ) {
    this.operations = new OperationsRepository(database);
  }

  async list(actor: ActingCaller, query: OperationsQuery): Promise<Page<OperationView>> {
    const { items, total } = await this.operations.list(
      {
        tenantId: actor.tenantId,
        reach: reachOf(actor.caller.holding, 'deployment:read'),
        deploymentId: query.deployment ?? null,
        type: query.type ?? null,
        status: query.status ?? null,
      },
      query.results,
      (query.page - 1) * query.results,
    );
    return new Page(items.map(toOperationView), total, query);
  }

  /**
   * The operation now, or as soon as it has ended within `wait` seconds.
   * @throws DomainError operation_not_found
   */
  async get(actor: ActingCaller, idText: string, wait: number): Promise<OperationView> {
    const id = parseId(idText) ?? 0;
    const deadline = Date.now() + wait * 1000;
    let operation = await this.find(actor, id);
    while (isOpen(operation) && Date.now() < deadline) {
      await this.changed(id, Math.min(LOOK_AGAIN_MS, deadline - Date.now()));
      operation = await this.find(actor, id);
    }
    return toOperationView(operation);
  }

  private async find(actor: ActingCaller, id: number): Promise<OperationDetail> {
    const reach = reachOf(actor.caller.holding, 'deployment:read');
    const operation = id > 0 ? await this.operations.find(actor.tenantId, reach, id) : null;
    if (!operation) throw new DomainError('operation_not_found', 'No such operation.');
    return operation;
  }

  /** Resolves when the operation is said to have ended, or after the time given. */
  private async changed(id: number, withinMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(finish, withinMs);
      const stop = this.notifications.on('landlord_operations', (payload) => {
        if (payload === '' || Number(payload) === id) finish();
      });
    });
  }
}

const isOpen = ({ status }: OperationDetail): boolean => (OPEN_STATUSES as readonly string[]).includes(status);
