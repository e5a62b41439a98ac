import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { Database } from '../database.js';
import { OperatorAction as OperatorActionEntity } from './entities/operator-action.entity.js';

/** An action that an operator performed with a command. */
export interface OperatorAction {
  /** `user@host` of the operating system. */
  operator: string;
  verb: string;
  subject: string;
  tenantId: TenantId | null;
  detail: object;
}

/** The log of operator actions. */
@Injectable()
export class OperatorActionsRepository {
  constructor(private readonly database: Database) {}

  async insert(action: OperatorAction): Promise<void> {
    const { tenantId, ...values } = action;
    await this.database.repository(OperatorActionEntity).insert({ ...values, tenant_id: tenantId });
  }
}
