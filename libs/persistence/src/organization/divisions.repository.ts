import { Injectable } from '@nestjs/common';
import type { Reach, DivisionId, TenantId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { caseless, containing } from '../conditions.js';
import { statement, Database } from '../database.js';
import { Division } from './entities/division.entity.js';
import type { Environment } from './entities/environment.entity.js';
import { byName, byTime, paged, reachValues, readPage, type PageOf, type PageRequest } from '../page-of.js';

/** A division that is not deleted. */
export type DivisionRow = Omit<Division, 'deleted_at'>;

const COLUMNS = `id, tenant_id, name, nullif(description, '') as description, nullif(email, '') as email, protected,
  created_at, updated_at`;

const LIST = paged('division.list', {
  columns: COLUMNS,
  rows: `from divisions where tenant_id = $1 and deleted_at is null and ($2 or id = any($3::bigint[])) and ${containing('name', 4)}`,
  id: 'id',
  keys: { name: byName('name'), created_at: byTime('created_at') },
});
const LOCK = statement(
  'division.lock',
  `select ${COLUMNS} from divisions where tenant_id = $1 and id = $2 and deleted_at is null for update`,
);
const IS_OCCUPIED = statement(
  'division.occupied',
  `select exists(select 1 from deployments d join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
                  where d.tenant_id = $2 and d.division_id = $1) as occupied`,
);
const LOCK_ENVIRONMENTS = statement(
  'division.lock_environments',
  `select id, name, protected from environments where tenant_id = $1 and division_id = $2 and deleted_at is null
    order by id for update`,
);
const DELETE = statement(
  'division.delete',
  `with gone as (update environments set deleted_at = now() where tenant_id = $2 and division_id = $1 and deleted_at is null)
   update divisions set deleted_at = now() where tenant_id = $2 and id = $1`,
);

/** An environment that a deletion of its division deletes, too. */
export type EnvironmentOfDivision = Pick<Environment, 'id' | 'name' | 'protected'>;

/** Divisions of a tenant. Every statement has the tenant. */
@Injectable()
export class DivisionsRepository {
  constructor(private readonly database: Database) {}

  /** `name`: only divisions whose name contains it; null for all. */
  async list(
    tenantId: TenantId,
    reach: Reach,
    name: string | null,
    request: PageRequest,
  ): Promise<PageOf<DivisionRow>> {
    const [all, divisions] = reachValues(reach);
    const values = [tenantId, all, divisions, name];
    return readPage<DivisionRow>(this.database, LIST, values, request);
  }

  async find(tenantId: TenantId, id: DivisionId): Promise<DivisionRow | null> {
    return this.database.repository(Division).findOneBy({ tenant_id: tenantId, id, deleted_at: IsNull() });
  }

  /** Reads the division and locks it until the transaction ends. */
  async findForUpdate(tenantId: TenantId, id: DivisionId): Promise<DivisionRow | null> {
    return this.database.first<DivisionRow>(LOCK, [tenantId, id]);
  }

  async findIdByName(tenantId: TenantId, name: string): Promise<DivisionId | null> {
    const where = { tenant_id: tenantId, name: caseless(name), deleted_at: IsNull() };
    const division = await this.database.repository(Division).findOne({ select: { id: true }, where });
    return division?.id ?? null;
  }

  async count(tenantId: TenantId): Promise<number> {
    return this.database.repository(Division).countBy({ tenant_id: tenantId, deleted_at: IsNull() });
  }

  async insert(
    values: Pick<Division, 'tenant_id' | 'name' | 'description' | 'email' | 'protected'>,
  ): Promise<DivisionRow> {
    const division = this.database.repository(Division).create({ ...values, deleted_at: null });
    await this.database.repository(Division).insert(division);
    // TypeORM returns a text as the column has it: empty for null.
    return Object.assign(division, { description: values.description || null, email: values.email || null });
  }

  async update(
    tenantId: TenantId,
    id: DivisionId,
    changes: Partial<Pick<Division, 'name' | 'description' | 'email' | 'protected'>>,
  ): Promise<void> {
    await this.database
      .repository(Division)
      .update({ tenant_id: tenantId, id }, { ...changes, updated_at: () => 'now()' });
  }

  /** Whether the division still has a deployment. */
  async isOccupied(tenantId: TenantId, id: DivisionId): Promise<boolean> {
    const [row] = await this.database.query<{ occupied: boolean }>(IS_OCCUPIED, [id, tenantId]);
    return row?.occupied ?? false;
  }

  /** Reads the environments of the division, and locks them until the transaction ends. */
  async environmentsForUpdate(tenantId: TenantId, id: DivisionId): Promise<EnvironmentOfDivision[]> {
    return this.database.query<EnvironmentOfDivision>(LOCK_ENVIRONMENTS, [tenantId, id]);
  }

  /** Deletes the division and its environments. */
  async delete(tenantId: TenantId, id: DivisionId): Promise<void> {
    await this.database.execute(DELETE, [id, tenantId]);
  }
}
