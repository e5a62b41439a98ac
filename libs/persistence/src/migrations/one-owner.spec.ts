import { createTestDatabase, given, type TestDatabase } from '@libs/testing';
import { DataSource } from 'typeorm';
import { OneOwner1763683200051 } from './1763683200051-one-owner.js';

describe('The migration to one owner', () => {
  let database: TestDatabase;
  let source: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const rows = <T>(text: string, values: unknown[] = []): Promise<T[]> => source.query(text, values);
  const rolesOf = async (tenantId: number): Promise<unknown> =>
    rows(
      `select m.user_id = t.owner_id as owner, array_agg(r.name order by r.name) as roles
         from member_roles m join roles r on r.id = m.role_id join tenants t on t.id = m.tenant_id
        where m.tenant_id = $1 group by 1 order by 1`,
      [tenantId],
    );

  it('makes admins of the other members with the role owner, and says so in their audit', async () => {
    const { tenantId } = await given.tenant({ rows });
    const untouched = await given.tenant({ rows });
    const second = await given.user({ rows }, { email: 'second@people.example', name: 'Second' });
    await rows('insert into members (tenant_id, user_id) values ($1, $2)', [tenantId, second.id]);
    await rows(
      `insert into member_roles (tenant_id, user_id, role_id)
       select $1, $2, id from roles where tenant_id = $1 and name in ('owner', 'billing')`,
      [tenantId, second.id],
    );
    const migration = new OneOwner1763683200051();
    const runner = source.createQueryRunner();
    await migration.down(runner);

    await migration.up(runner);
    await runner.release();

    expect(await rolesOf(tenantId)).toEqual([
      { owner: false, roles: ['admin', 'billing'] },
      { owner: true, roles: ['owner'] },
    ]);
    expect(await rolesOf(untouched.tenantId)).toEqual([{ owner: true, roles: ['owner'] }]);
    const entries = await rows(
      `select tenant_id::int, type, user_name, data ->> 'role_name' as role from audit_entries`,
    );
    expect(entries).toEqual([{ tenant_id: tenantId, type: 'role_revoked', user_name: 'Second', role: 'owner' }]);
  });
});
