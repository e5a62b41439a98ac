import { DoublesCommands, type OperatorSession } from '@libs/operator';
import { createTestDatabase, given, type TestDatabase } from '@libs/testing';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../data-source.js';
import { Database } from '../database.js';
import { InvitationsRepository } from '../organization/people/invitations.repository.js';
import { UsersRepository } from '../organization/people/users.repository.js';
import { migrate, MIGRATIONS } from './migrate.js';

/** The last migration of commit a95ab04d. */
const LAST_BEFORE = 'GrowingTables1763683200110';
const SPELLINGS = ['me@münchen.de', 'ME@xn--mnchen-3ya.de'] as const;

/** A database of an earlier release, with what it took and this release would refuse. */
describe('The migration to canonical forms', () => {
  let database: TestDatabase;
  let source: DataSource;
  let own: Database;
  let tenantId: number;
  let accounts: number[];
  const rows = <T>(text: string, values: unknown[] = []): Promise<T[]> => source.query(text, values);
  const user = async (email: string, name = 'Ann'): Promise<number> =>
    Number((await given.user({ rows }, { email, name })).id);
  const insert = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await rows<{ id: string }>(`${text} returning id`, values))[0]?.id);
  const invite = (email: string, status = 'pending'): Promise<number> =>
    insert(
      `insert into invitations (tenant_id, email, status, inviter_id, expires_at) values ($1, $2, $3, $4, now() + interval '7 days')`,
      [tenantId, email, status, accounts[0]],
    );

  beforeAll(async () => {
    database = await createTestDatabase();
    await toSchemaOfBefore(database.url);
    source = await new DataSource(
      dataSourceOptions({
        databaseUrl: database.url,
        secretKeys: `k1:${Buffer.alloc(32).toString('base64')}`,
        applicationName: 'test',
        poolSize: 2,
      }),
    ).initialize();
    own = new Database(source);
    ({ tenantId } = await given.tenant({ rows }));
    accounts = [
      await user(SPELLINGS[0]),
      await user(SPELLINGS[1]),
      await user('Bob@BÜCHER.example'),
      await user('Eve@Example.com', ' E\u200bve '),
    ];
    for (const email of ['jason@exämple.com', 'jason@xn--exmple-cua.com']) await invite(email);
    await invite('jason@EXÄMPLE.com', 'rejected');
    for (const name of ['Lab', 'La\u200bb', 'Cafe\u0301', '  Blank  '])
      await insert('insert into divisions (tenant_id, name) values ($1, $2)', [tenantId, name]);

    await migrate(database.url);
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });
  const ofSignIn = async (email: string): Promise<number | null> =>
    (await new UsersRepository(own).findByEmail(email))?.id ?? null;

  it('lets each of two accounts of one mailbox sign in with its own spelling, in any case of letters', async () => {
    const [first, second] = accounts;
    expect(await ofSignIn('me@münchen.de')).toBe(first);
    expect(await ofSignIn('Me@münchen.DE')).toBe(first);
    expect(await ofSignIn('ME@xn--mnchen-3ya.de')).toBe(second);
    expect(await ofSignIn('me@XN--mnchen-3ya.de')).toBe(second);
    // Nobody knows which of the two this third spelling means.
    expect(await ofSignIn('me@MÜNCHEN.de')).toBeNull();
  });

  it('lets the only account of a mailbox sign in with every spelling', async () => {
    for (const email of [
      'Bob@BÜCHER.example',
      'bob@bücher.example',
      'bob@xn--bcher-kva.example',
      'BOB@XN--BCHER-KVA.EXAMPLE',
    ])
      expect(await ofSignIn(email)).toBe(accounts[2]);
    expect(await ofSignIn('EVE@EXAMPLE.COM')).toBe(accounts[3]);
  });

  it('takes no further account of a mailbox, whichever release inserts it', async () => {
    const users = new UsersRepository(own);
    for (const email of ['me@MÜNCHEN.de', 'me@münchen.de', 'bob@xn--bcher-kva.example', 'eve@example.com'])
      expect(await users.insert({ email, name: 'N', passwordHash: 'none' })).toBeNull();
    const byOlder = await rows(
      `insert into users (email, name, password_hash) values ('EVE@EXAMPLE.com', 'N', 'none') on conflict do nothing returning id`,
    );
    expect(byOlder).toEqual([]);
    expect(await user('New@Example.com')).toBeGreaterThan(0);
    expect(await rows(`select email_canonical from users where email = 'New@Example.com'`)).toEqual([
      { email_canonical: 'new@example.com' },
    ]);
  });

  it('shows both invitations to the mailbox, and takes no third one', async () => {
    const invitations = new InvitationsRepository(own);
    const { items } = await invitations.listTo('JASON@exämple.com', 'pending', { page: 1, results: 10 });
    expect(items.map(({ email }) => email)).toEqual(['jason@xn--exmple-cua.com', 'jason@exämple.com']);
    expect(await invitations.findPendingId(tenantId, 'jason@EXÄMPLE.com')).not.toBeNull();
  });

  it('repairs names that only differed in what nobody sees, unless a neighbour has the name', async () => {
    const names = await rows<{ name: string }>('select name from divisions where tenant_id = $1 order by id', [
      tenantId,
    ]);
    expect(names.map(({ name }) => name).slice(-4)).toEqual(['Lab', 'La\u200bb', 'Café', 'Blank']);
    expect(await rows('select name from users where id = $1', [accounts[3]])).toEqual([{ name: 'Eve' }]);
  });

  it('lists all doubles for the operator', async () => {
    const doubles = await new DoublesCommands({ database: own } as OperatorSession).list();

    expect(
      doubles.map(({ kind, canonical, rows: all }) => [kind, canonical, all.map(({ spelling }) => spelling)]),
    ).toEqual([
      ['account', 'me@xn--mnchen-3ya.de', [...SPELLINGS]],
      ['invitation', 'jason@xn--exmple-cua.com', ['jason@exämple.com', 'jason@xn--exmple-cua.com']],
      ['division', 'lab', ['Lab', 'La\u200bb']],
    ]);
  });

  it('can be undone, and done again', async () => {
    const forms = 'select email, email_canonical, email_doubled from users order by id';
    const before = await rows(forms);
    const last = MIGRATIONS.map((migration) => new migration()).find(({ name }) => name.startsWith('CanonicalForms'));
    const runner = source.createQueryRunner();
    await last?.down(runner);
    await last?.up(runner);
    await runner.release();

    expect(await rows(forms)).toEqual(before);
  });
});

async function toSchemaOfBefore(url: string): Promise<void> {
  const last = MIGRATIONS.findIndex((migration) => new migration().name === LAST_BEFORE);
  const source = await new DataSource({
    type: 'postgres',
    url,
    migrations: MIGRATIONS.slice(0, last + 1),
  }).initialize();
  await source.query('drop schema public cascade');
  await source.query('create schema public');
  await source.runMigrations({ transaction: 'each' });
  await source.query('select ensure_partitions(), ensure_telemetry_partitions(), ensure_notification_partitions()');
  await source.destroy();
}
