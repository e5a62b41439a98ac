import type { ActingCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { AuditSealsRepository, SEAL_HASH } from '@libs/persistence/ledger';
import { WorkflowBench } from '@libs/testing';
import { AuditVerifier } from './audit-verifier.js';
import type { VerificationQuery } from './dto/verification.query.js';

/** Maximum entries of one batch. */
const BATCH = 1000;

describe('The verification of an audit', () => {
  let bench: WorkflowBench;
  let seals: AuditSealsRepository;
  let tenant = 0;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    seals = new AuditSealsRepository(bench.database);
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    tenant += 1;
  });

  it('is valid for a tenant without entries', async () => {
    expect(await verify()).toEqual({ valid: true, sealed_up_to: 0, sealed_at: null, seal_hash: null, unsealed: 0 });
  });

  it('accepts an unchanged chain, and counts the entries without a seal', async () => {
    await write(2 * BATCH + 5);
    await seal();
    await write(3);

    const verification = await verify();

    expect(verification).toMatchObject({ valid: true, sealed_up_to: 3, unsealed: 3 });
    expect(verification.seal_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(Date.now() - Date.parse(verification.sealed_at ?? '')).toBeLessThan(60_000);
  });

  it('reads more seals than one window, and entries of every retention class', async () => {
    for (let n = 0; n < 110; n += 1) {
      await bench.rows(INSERT, [tenant, 3, n % 2 ? 7 : 365]);
      await bench.rows(INSERT, [tenant, 2, 90]);
      await seal();
    }

    expect(await verify()).toMatchObject({ valid: true, sealed_up_to: 220, unsealed: 0 });
    await tamper(`update audit_entries set author_name = 'eve' where id = (
      select entry_ids[1] from audit_seals where tenant_id = ${tenant} and sequence = 215)`);
    expect(await verify()).toMatchObject({ valid: false, first_break: { sequence: 215, reason: 'entries_changed' } });
  });

  it.each([
    ['a changed name', `update audit_entries set author_name = 'eve' where id = ENTRY`, 2, 'entries_changed'],
    ['changed data', `update audit_entries set data = '{"n": -1}' where id = ENTRY`, 2, 'entries_changed'],
    [
      'null where there was the word',
      `update audit_entries set user_name = null where id = ENTRY`,
      2,
      'entries_changed',
    ],
    ['a moved moment', `update audit_entries set created_at = created_at + '1us' where id = ENTRY`, 2, null],
    ['a deleted entry', `delete from audit_entries where id = ENTRY`, 2, 'entries_missing'],
    [
      'a second entry of the same id',
      `insert into audit_entries (id, retention_class, created_at, tenant_id, type) overriding system value
       select id, retention_class, first_at, e.tenant_id, e.type from audit_entries e
         join audit_seals s using (tenant_id, retention_class) where id = ENTRY and sequence = 2`,
      2,
      'entries_added',
    ],
    [
      'an entry slipped in',
      `insert into audit_entries (retention_class, created_at, tenant_id, type)
       select 365, last_at, tenant_id, 'forged' from audit_seals where tenant_id = TENANT and sequence = 2`,
      2,
      'entry_unknown',
    ],
    [
      'an entry slipped in at the end',
      `insert into audit_entries (retention_class, tenant_id, type) values (365, TENANT, 'forged')`,
      4,
      'entry_unknown',
    ],
    [
      'a changed seal',
      `update audit_seals set sealed_at = sealed_at - interval '1 day' where tenant_id = TENANT and sequence = 2`,
      2,
      'seal_changed',
    ],
    [
      'a seal that hides an entry',
      `delete from audit_entries where id = ENTRY;
       update audit_seals set entry_ids = array_remove(entry_ids, ENTRY), count = count - 1
        where tenant_id = TENANT and sequence = 2`,
      2,
      'seal_changed',
    ],
    [
      'a seal that was changed together with its own hash',
      `update audit_seals set sealed_at = sealed_at - interval '1 day' where tenant_id = TENANT and sequence = 2;
       update audit_seals s set hash = ${SEAL_HASH} where tenant_id = TENANT and sequence = 2`,
      3,
      'chain_broken',
    ],
    ['a deleted seal', `delete from audit_seals where tenant_id = TENANT and sequence = 2`, 2, 'seal_missing'],
    ['the last seal deleted', `delete from audit_seals where tenant_id = TENANT and sequence = 3`, 3, 'entry_unknown'],
  ] as const)('finds %s, with the number of the seal', async (_what, change, sequence, reason) => {
    for (let n = 0; n < 3; n += 1) {
      await write(10);
      await seal();
    }
    const [entry] = await bench.rows<{ id: number }>(
      'select entry_ids[4] as id from audit_seals where tenant_id = $1 and sequence = 2',
      [tenant],
    );

    await tamper(change.replaceAll('ENTRY', String(entry?.id)).replaceAll('TENANT', String(tenant)));

    const verification = await verify();
    expect(verification.valid).toBe(false);
    expect(verification.first_break?.sequence).toBe(sequence);
    if (reason) expect(verification.first_break?.reason).toBe(reason);
  });

  it('finds an entry that was deleted before it was sealed', async () => {
    await write(5);
    await tamper(
      `delete from audit_entries where id = (select max(id) from audit_entries where tenant_id = ${tenant})`,
    );

    await seal();

    expect(await verify()).toMatchObject({ first_break: { sequence: 1, reason: 'entries_missing' } });
  });

  it('finds a chain that was forged from some seal on only with a hash that was stored outside', async () => {
    await write(4);
    await seal();
    const verification = await verify();
    const proof = { sequence: verification.sealed_up_to, hash: verification.seal_hash ?? '' };
    expect(await verify(proof)).toMatchObject({ valid: true });

    await tamper(`delete from audit_seals where tenant_id = ${tenant};
      update audit_entries set author_name = 'eve' where tenant_id = ${tenant};
      insert into audit_unsealed (tenant_id, id, retention_class, created_at, type)
      select tenant_id, id, retention_class, created_at, type from audit_entries where tenant_id = ${tenant}`);
    await seal();

    expect(await verify()).toMatchObject({ valid: true });
    expect(await verify(proof)).toMatchObject({
      valid: false,
      first_break: { sequence: 1, reason: 'seal_differs' },
    });
    expect(await verify({ ...proof, sequence: 7 })).toMatchObject({ first_break: { sequence: 7 } });
  });

  it('accepts a partition that was dropped after its retention, and reports one that was dropped before', async () => {
    for (const days of [7, 365])
      await bench.rows(`create table audit_entries_${days}_2020_01 partition of audit_entries_${days}
        for values from ('2020-01-01 00:00Z') to ('2020-02-01 00:00Z')`);
    await bench.rows(
      `insert into audit_entries (retention_class, created_at, tenant_id, type)
       select 7, timestamptz '2020-01-05 00:00Z' + n * interval '1 hour', $1, 'old' from generate_series(1, 5) n`,
      [tenant],
    );
    await write(5);
    await seal();
    const [dropped] = await bench.rows<{ names: string[] }>('select drop_expired_partitions() as names');

    expect(dropped?.names).toEqual(['audit_entries_7_2020_01', 'audit_entries_365_2020_01']);
    expect(await verify()).toMatchObject({ valid: true, sealed_up_to: 2 });

    const [now] = await bench.rows<{ name: string }>(
      `select 'audit_entries_365_' || to_char(now() at time zone 'utc', 'YYYY_MM') as name`,
    );
    await bench.rows(`drop table ${now?.name}`);
    expect(await verify()).toMatchObject({ valid: false, first_break: { reason: 'entries_missing' } });
    await bench.rows('select ensure_partitions()');
  });

  it('runs once at a time for a tenant', async () => {
    const beside = new Database(bench.database.dataSource);
    await beside.transaction(async () => {
      await new AuditSealsRepository(beside).beginVerification(tenant);
      await expect(verify()).rejects.toMatchObject({ code: 'rate_limited' });
    });
  });

  it('refuses a key of one division, because it covers the whole tenant', async () => {
    await expect(
      new AuditVerifier(bench.database, new AuditSealsRepository(bench.database)).verify(callerOf(3), {}),
    ).rejects.toMatchObject({
      code: 'insufficient_permissions',
    });
  });

  const verify = (query: VerificationQuery = {}) =>
    new AuditVerifier(bench.database, new AuditSealsRepository(bench.database)).verify(callerOf(null), query);
  const callerOf = (divisionScope: number | null): ActingCaller =>
    ({ tenantId: tenant, caller: { tenant: { id: tenant }, holding: { divisionScope } } }) as unknown as ActingCaller;

  async function write(entries: number): Promise<void> {
    await bench.rows(INSERT, [tenant, entries, 365]);
  }

  async function seal(): Promise<void> {
    while ((await bench.database.transaction(() => seals.sealSome())) > 0);
  }

  /** Changes rows like an owner of the database: triggers do not run. */
  async function tamper(statements: string): Promise<void> {
    await bench.rows(`begin; set local session_replication_role = replica; ${statements}; commit`);
  }
});

const INSERT = `
  insert into audit_entries (retention_class, created_at, tenant_id, type, author_id, author_name, user_name, data, correlation_id)
  select $3, clock_timestamp(), $1, 'division_created', 1, 'ada', 'null', jsonb_build_object('n', n), gen_random_uuid() from generate_series(1, $2::int) n`;
