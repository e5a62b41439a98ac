import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';

/** An action that an operator performed with a command. */
export interface OperatorAction {
  /** `user@host` of the operating system. */
  operator: string;
  verb: string;
  subject: string;
  tenantId: TenantId | null;
  detail: object;
}

const INSERT = statement(
  'operator_action.insert',
  'insert into operator_actions (operator, verb, subject, tenant_id, detail) values ($1, $2, $3, $4, $5::jsonb)',
);

/** The log of operator actions. */
@Injectable()
export class OperatorActionsRepository {
  constructor(private readonly database: Database) {}

  async insert(action: OperatorAction): Promise<void> {
    const { operator, verb, subject, tenantId, detail } = action;
    await this.database.execute(INSERT, [operator, verb, subject, tenantId, JSON.stringify(detail)]);
  }
}
