import { Injectable } from '@nestjs/common';
import type { Reach, DivisionId, EnvironmentId, TenantId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { caseless, containing } from '../conditions.js';
import { statement, Database } from '../database.js';
import { Environment } from './entities/environment.entity.js';
import { byName, byTime, paged, reachValues, readPage, type PageOf, type PageRequest } from '../page-of.js';

/** An environment that is not deleted, with the number of its deployments. */
export interface EnvironmentWithCount extends Omit<Environment, 'deleted_at'> {
  deployments_count: number;
}

const COLUMNS = `e.id, e.tenant_id, e.division_id, e.name, nullif(e.description, '') as description, e.protected,
  e.created_at, e.updated_at,
  (select count(*)::int from deployments d join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
    where d.environment_id = e.id) as deployments_count`;
const LIVING = `e.tenant_id = $1 and e.division_id = $2 and e.deleted_at is null`;
const VISIBLE = `${LIVING} and ($3 or e.division_id = any($4::bigint[]) or e.id = any($5::bigint[]))`;

const LIST = paged('environment.list', {
  columns: COLUMNS,
  rows: `from environments e where ${VISIBLE} and ${containing('e.name', 6)}`,
  id: 'e.id',
  keys: { name: byName('e.name'), created_at: byTime('e.created_at') },
});
const FIND = statement('environment.find', `select ${COLUMNS} from environments e where ${LIVING} and e.id = $3`);
const LOCK = statement(
  'environment.lock',
  `select ${COLUMNS} from environments e where ${LIVING} and e.id = $3 for update of e`,
);
const HOLD = statement(
  'environment.hold',
  `select e.id, e.name from environments e where ${LIVING} and e.id = $3 for key share`,
);
const COUNTS = statement(
  'environment.counts',
  `select count(*)::int as tenant, count(*) filter (where division_id = $2)::int as division
     from environments where tenant_id = $1 and deleted_at is null`,
);

/** Environments of a division. Every statement has tenant and division. */
@Injectable()
export class EnvironmentsRepository {
  constructor(private readonly database: Database) {}

  /** `name`: only environments whose name contains it; null for all. */
  async list(
    tenantId: TenantId,
    divisionId: DivisionId,
    reach: Reach,
    name: string | null,
    request: PageRequest,
  ): Promise<PageOf<EnvironmentWithCount>> {
    const values = [tenantId, divisionId, ...reachValues(reach), name];
    return readPage<EnvironmentWithCount>(this.database, LIST, values, request);
  }

  async find(tenantId: TenantId, divisionId: DivisionId, id: EnvironmentId): Promise<EnvironmentWithCount | null> {
    return this.database.first<EnvironmentWithCount>(FIND, [tenantId, divisionId, id]);
  }

  /** Reads the environment and locks it until the transaction ends. */
  async findForUpdate(
    tenantId: TenantId,
    divisionId: DivisionId,
    id: EnvironmentId,
  ): Promise<EnvironmentWithCount | null> {
    return this.database.first<EnvironmentWithCount>(LOCK, [tenantId, divisionId, id]);
  }

  /** Takes a shared lock. Other transactions cannot delete the environment until this transaction ends. */
  async findForShare(
    tenantId: TenantId,
    divisionId: DivisionId,
    id: EnvironmentId,
  ): Promise<Pick<Environment, 'id' | 'name'> | null> {
    return this.database.first<Pick<Environment, 'id' | 'name'>>(HOLD, [tenantId, divisionId, id]);
  }

  async findIdByName(tenantId: TenantId, divisionId: DivisionId, name: string): Promise<EnvironmentId | null> {
    const where = { tenant_id: tenantId, division_id: divisionId, name: caseless(name), deleted_at: IsNull() };
    const environment = await this.database.repository(Environment).findOne({ select: { id: true }, where });
    return environment?.id ?? null;
  }

  /** Number of existing environments of the tenant and of the division. */
  async counts(tenantId: TenantId, divisionId: DivisionId): Promise<{ tenant: number; division: number }> {
    const [row] = await this.database.query<{ tenant: number; division: number }>(COUNTS, [tenantId, divisionId]);
    return row ?? { tenant: 0, division: 0 };
  }

  async insert(
    values: Pick<Environment, 'tenant_id' | 'division_id' | 'name' | 'description' | 'protected'>,
  ): Promise<EnvironmentWithCount> {
    const environment = this.database.repository(Environment).create({ ...values, deleted_at: null });
    await this.database.repository(Environment).insert(environment);
    // TypeORM returns a text as the column has it: empty for null.
    return Object.assign(environment, { description: values.description || null, deployments_count: 0 });
  }

  async update(
    tenantId: TenantId,
    id: EnvironmentId,
    changes: Partial<Pick<Environment, 'name' | 'description' | 'protected'>>,
  ): Promise<void> {
    await this.database
      .repository(Environment)
      .update({ tenant_id: tenantId, id }, { ...changes, updated_at: () => 'now()' });
  }

  async delete(tenantId: TenantId, id: EnvironmentId): Promise<void> {
    await this.database.repository(Environment).update({ tenant_id: tenantId, id }, { deleted_at: () => 'now()' });
  }
}
