import type { RoleId, TenantId } from '@libs/domain';
import { createTestDatabase, type TestDatabase } from '@libs/testing';
import { Role } from '../src/organization/entities/role.entity.js';
import { TYPEORM_CALLS } from './typeorm-calls.fixture.js';
import { TypeormCalls } from './learned-calls.fixture.js';

/** A request that is refused after a write through TypeORM leaves nothing, because the write is in its transaction. */
describe('A refused request', () => {
  let database: TestDatabase;
  let calls: TypeormCalls;

  beforeAll(async () => {
    database = await createTestDatabase();
    calls = await TypeormCalls.open(database.url);
  });
  afterAll(async () => {
    await calls?.close();
    await database?.drop();
  });

  it.each(TYPEORM_CALLS)('leaves nothing of what $owner wrote', async ({ owner, calls: methods }) => {
    for (const method of Object.keys(methods)) {
      let [first, written] = [new Map<string, string>(), new Map<string, string>()];
      const { statements } = await calls.call(
        { owner, method },
        {
          before: async () => void (first = await contents()),
          after: async () => void (written = await contents()),
        },
      );

      const isWriting = statements.some(({ text }) => !/^select/i.test(text));
      const changed = [...written].filter(([table, rows]) => first.get(table) !== rows).map(([table]) => table);
      expect([method, changed.length > 0]).toEqual([method, isWriting]);
      expect([method, ...rowsLeft(await contents())]).toEqual([method]);
    }
  });

  /** The rows of every table that TypeORM writes, as text. */
  async function contents(): Promise<Map<string, string>> {
    const tables = calls.source.entityMetadatas.map(({ tableName }) => tableName);
    const texts = tables.map(
      (table) =>
        `select '${table}' as name, (select string_agg(t::text, ' ' order by t::text) from ${table} t) as rows`,
    );
    const rows = await calls.database.manager.query<{ name: string; rows: string | null }[]>(texts.join(' union all '));
    return new Map(rows.map(({ name, rows: text }) => [name, text ?? '']));
  }

  const rowsLeft = (tables: Map<string, string>): string[] =>
    [...tables].filter(([, rows]) => rows !== '').map(([table]) => table);
});

/** A missing tenant would otherwise widen a statement to the rows of all tenants. */
describe('A condition of TypeORM', () => {
  let database: TestDatabase;
  let calls: TypeormCalls;

  beforeAll(async () => {
    database = await createTestDatabase();
    calls = await TypeormCalls.open(database.url);
  });
  afterAll(async () => {
    await calls?.close();
    await database?.drop();
  });

  it.each([undefined, null])('is refused with the value %s', async (value) => {
    const roles = calls.database.repository(Role);
    const where = { id: 1 as RoleId, tenant_id: value as unknown as TenantId };

    await expect(roles.findOneBy(where)).rejects.toThrow('tenant_id');
    await expect(roles.find({ where })).rejects.toThrow('tenant_id');
    await expect(roles.countBy(where)).rejects.toThrow('tenant_id');
    await expect(roles.existsBy(where)).rejects.toThrow('tenant_id');
    await expect(roles.update(where, { name: 'x' })).rejects.toThrow('tenant_id');
    await expect(roles.delete(where)).rejects.toThrow('tenant_id');
    await expect(roles.delete({})).rejects.toThrow('Empty criteria');
  });
});
