import { statement, type Database } from '../database.js';

/** How a tenant pays. */
export interface PaymentMethod {
  provider: 'manual' | 'card';
  /** What the tenant files it under, such as the number of an order. */
  reference: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const FIND = statement(
  'payment_method.find',
  `select provider, reference, created_at as "createdAt", updated_at as "updatedAt" from payment_methods where tenant_id = $1`,
);
const PUT = statement(
  'payment_method.put',
  `insert into payment_methods as m (tenant_id, provider, reference) values ($1, $2, $3)
   on conflict (tenant_id) do update set provider = excluded.provider, reference = excluded.reference, updated_at = now()
     where (m.provider, m.reference) is distinct from (excluded.provider, excluded.reference)`,
);
const DELETE = statement('payment_method.delete', 'delete from payment_methods where tenant_id = $1');

/** At most one a tenant. */
export class PaymentMethodsRepository {
  constructor(private readonly database: Database) {}

  async find(tenantId: number): Promise<PaymentMethod | null> {
    const [row] = await this.database.query<PaymentMethod>(FIND, [tenantId]);
    return row ?? null;
  }

  /** False when it was like that already. */
  async put(tenantId: number, provider: PaymentMethod['provider'], reference: string | null): Promise<boolean> {
    return (await this.database.execute(PUT, [tenantId, provider, reference])) === 1;
  }

  /** False when there was none. */
  async delete(tenantId: number): Promise<boolean> {
    return (await this.database.execute(DELETE, [tenantId])) === 1;
  }
}
