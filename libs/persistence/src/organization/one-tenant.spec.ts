import { given, WorkflowBench } from '@libs/testing';
import {
  ApiKeysRepository,
  CloudAccountsRepository,
  DivisionsRepository,
  MembersRepository,
  RolesRepository,
} from './index.js';

const PAGE = { page: 1, results: 100 };
const EVERYWHERE = { all: true, divisions: [], environments: [] };
const ANY_ACCOUNT = { name: null, cloud: null, region: null, status: null };
const KINDS = ['system', 'custom', 'api_key'] as const;

/** The ids of the rows of one tenant, in the order of the lists. */
interface Rows {
  divisions: number[];
  roles: number[];
  keys: number[];
  members: number[];
  accounts: number[];
}

/** Two tenants with the same kinds of rows. Each repository must return only the rows of the requested tenant. */
describe('The rows of one tenant', () => {
  let bench: WorkflowBench;
  let divisions: DivisionsRepository;
  let roles: RolesRepository;
  let keys: ApiKeysRepository;
  let members: MembersRepository;
  let accounts: CloudAccountsRepository;
  let ownTenantId: number;
  let other: number;
  let rows: Rows;
  let foreign: Rows;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    const { database, secrets } = bench;
    divisions = new DivisionsRepository(database);
    roles = new RolesRepository(database);
    keys = new ApiKeysRepository(database);
    members = new MembersRepository(database);
    accounts = new CloudAccountsRepository(database, secrets);
    const cloud = { rows: bench.rows.bind(bench) } as never;
    const newTenant = async (): Promise<number> => {
      const { tenantId } = await given.tenant(cloud);
      await given.key(cloud, { tenantId });
      const account = { accountId: '1', region: null, settings: { role: 'r' }, remarks: null };
      await accounts.insert(tenantId, { cloud: 'aws', name: 'a', ...account });
      return tenantId;
    };
    [ownTenantId, other] = [await newTenant(), await newTenant()];
    [rows, foreign] = [await storedRows(ownTenantId), await storedRows(other)];
  });
  afterAll(() => bench.close());

  async function storedRows(tenantId: number): Promise<Rows> {
    const ids = async (text: string): Promise<number[]> =>
      (await bench.rows<{ id: unknown }>(`${text} where tenant_id = $1 order by 1 desc`, [tenantId])).map(({ id }) =>
        Number(id),
      );
    return {
      divisions: await ids('select id from divisions'),
      roles: await ids('select id from roles'),
      keys: await ids('select id from api_keys'),
      members: await ids('select user_id as id from members'),
      accounts: await ids('select id from cloud_accounts'),
    };
  }

  const scope = (): { tenantId: number; divisionScope: null } => ({ tenantId: ownTenantId, divisionScope: null });
  /** The lists of the repositories, each with one page. */
  const listed = {
    divisions: (page = 1) => divisions.list(ownTenantId, EVERYWHERE, null, { ...PAGE, page }),
    roles: (page = 1) => roles.list(scope(), { kinds: KINDS, name: null }, { ...PAGE, page }),
    keys: (page = 1) => keys.list(scope(), null, { ...PAGE, page }),
    members: (page = 1) => members.list(scope(), { active: null, email: null }, { ...PAGE, page }),
    accounts: (page = 1) => accounts.list(ownTenantId, ANY_ACCOUNT, { ...PAGE, page }),
  };
  const readsOf: Record<keyof Rows, (id: number) => Promise<unknown>[]> = {
    divisions: (id) => [divisions.find(ownTenantId, id), divisions.findForUpdate(ownTenantId, id)],
    roles: (id) => [roles.find(scope(), id), roles.findForUpdate(scope(), id)],
    keys: (id) => [keys.find(scope(), id), keys.findForUpdate(scope(), id)],
    members: (id) => [members.find(scope(), id), members.findForUpdate(scope(), id)],
    accounts: (id) => [accounts.find(ownTenantId, id), accounts.findForUpdate(ownTenantId, id)],
  };
  const kinds = Object.keys(readsOf) as (keyof Rows)[];

  it.each(kinds)('are listed without the %s of another tenant', async (kind) => {
    const { items, total } = await listed[kind]();

    expect(items.map(({ id }) => id)).toEqual(rows[kind]);
    expect(rows[kind]).not.toEqual(foreign[kind]);
    expect(total).toBe(rows[kind].length);
  });

  it.each(kinds)('are counted without the %s of another tenant, also after the last page', async (kind) => {
    expect(await listed[kind](2)).toEqual({ items: [], total: rows[kind].length, next: null });
  });

  it.each(kinds)('are found and locked, and the %s of another tenant are not', async (kind) => {
    const id = rows[kind][0] as number;

    expect(await Promise.all(readsOf[kind](id))).toMatchObject([{ id }, { id }]);
    expect(await Promise.all(readsOf[kind](foreign[kind][0] as number))).toEqual([null, null]);
  });

  it('lose an inactive member, and another tenant keeps its members', async () => {
    const [id = 0, otherId = 0] = [rows.members[0], foreign.members[0]];
    await members.setActive(ownTenantId, id, false);
    await members.setActive(ownTenantId, otherId, false);

    const active = await bench.rows('select tenant_id, active from members where tenant_id = any($1) order by 1', [
      [ownTenantId, other],
    ]);

    expect(active.map((row: any) => row.active)).toEqual([false, true]);
    expect((await members.list(scope(), { active: true, email: null }, PAGE)).items).toEqual([]);
    expect((await members.list(scope(), { active: false, email: null }, PAGE)).total).toBe(1);
  });
});
