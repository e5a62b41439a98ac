import { DatabaseDiagnosis } from './database-diagnosis.js';
import type { Finding } from './finding.js';
import { OperatorBench, secretKey } from '../../test/operator.fixture.js';

describe('DatabaseDiagnosis', () => {
  let bench: OperatorBench;

  beforeEach(async () => {
    bench = await OperatorBench.open();
  });
  afterEach(() => bench.close());

  const find = async (check: string, keys = bench.keys, closesAfter = 24): Promise<Finding | undefined> =>
    bench.withKeys(keys, async (session) =>
      (await new DatabaseDiagnosis(session).findings(closesAfter)).find((finding) => finding.check === check),
    );

  it('reports only `ok` for a healthy database', async () => {
    await announceCell(bench, 'local', 0);

    const findings = await new DatabaseDiagnosis(bench.session).findings(24);

    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      ...[
        'database',
        'clock',
        'transactions',
        'schema',
        'grants',
        'cells',
        'incidents',
        'billing',
        'destruction',
        'secret keys',
      ],
    ]);
    expect(await new DatabaseDiagnosis(bench.session).queue()).toMatchObject({ level: 'ok' });
  });

  it('fails for a schema behind the release, and stops there', async () => {
    await bench.rows('delete from migrations where id = (select max(id) from migrations)');

    const findings = await new DatabaseDiagnosis(bench.session).findings(24);

    expect(findings.at(-1)).toMatchObject({ check: 'schema', level: 'fail', todo: 'Run: landlord migrate' });
    expect(findings.map(({ check }) => check)).not.toContain('grants');
  });

  it('warns about a newer schema, and does not check its grants', async () => {
    await bench.rows(`insert into migrations (timestamp, name) values (1763999999999, 'Tomorrow1763999999999')`);
    await bench.rows('grant delete on tenants to landlord_supervisor');

    expect(await find('schema')).toMatchObject({ level: 'warn', what: expect.stringContaining('Tomorrow') });
    expect(await find('grants')).toBeUndefined();
  });

  it('fails for a schema that requires a newer release, and stops there', async () => {
    await bench.rows(`insert into schema_requirements values ('Tomorrow1763999999999', 'a column went')`);

    const findings = await new DatabaseDiagnosis(bench.session).findings(24);

    expect(findings.at(-1)).toMatchObject({ check: 'schema', level: 'fail', what: expect.stringContaining('too new') });
  });

  it('fails for a missing right and for an excessive right of a role', async () => {
    await bench.rows('revoke insert on operations from landlord_main_api');
    await bench.rows('grant delete on tenants to landlord_supervisor');

    const finding = await find('grants');

    expect(finding).toMatchObject({ level: 'fail', todo: 'Run: landlord migrate' });
    expect(finding?.what).toContain('landlord_main_api on operations: select, update, delete');
    expect(finding?.what).toContain('landlord_supervisor on tenants: select, delete');
  });

  it('warns about silent cells, and names drained ones', async () => {
    await announceCell(bench, 'near', 0);
    await announceCell(bench, 'gone', 90);
    await bench.rows(`update cells set drained_at = now() where cell = 'near'`);

    expect(await find('cells')).toMatchObject({
      level: 'warn',
      what: expect.stringMatching(/not seen for 30 s: gone \(9\d s ago\); drained: near/),
    });
  });

  it('warns about open incidents, a hold on destruction and long transactions', async () => {
    await bench.rows(`insert into incidents (kind, subject, detail) values ('late', 'x', 'y')`);
    await bench.rows('update installation set destruction_held_since = now()');

    expect(await find('incidents')).toMatchObject({ level: 'warn', what: '1 open: late' });
    expect(await find('destruction')).toMatchObject({
      level: 'warn',
      todo: expect.stringContaining('resume-destruction'),
    });
  });

  it.each([
    ['is closed and has not all its invoices', ['now()', 'null'], 6, 'warn'],
    ['is not even closed', null, 6, 'warn'],
    ['has all its invoices', ['now()', 'now()'], 6, 'ok'],
    ['has six hours yet', null, 5, 'ok'],
  ] as const)('checks the last month: it %s', async (_what, books, grace, level) => {
    const [last] = await bench.rows<{ month: string; hours: number }>(
      `select to_char(began - interval '1 month', 'YYYY-MM') as month, floor(extract(epoch from now() at time zone 'utc' - began) / 3600)::int as hours
         from date_trunc('month', now() at time zone 'utc') began`,
    );
    await bench.rows(`update billing_months set month = month - interval '1 month'`);
    if (books)
      await bench.rows(
        `insert into billing_months (month, closed_at, settled_at) values ($1::date, ${books.join(', ')})`,
        [`${last?.month}-01`],
      );

    const finding = await find('billing', bench.keys, (last?.hours ?? 0) - grace);

    expect(finding?.level).toBe(level);
    if (level === 'warn') expect(finding?.what).toContain(`${last?.month} ended more than`);
  });

  it('fails when a used key is missing, and warns about a key that should be removed', async () => {
    await bench.deployment('sealed');
    const fresh = secretKey('k2');

    expect(await find('secret keys', fresh)).toMatchObject({ level: 'fail', what: expect.stringContaining('k1 (') });
    expect(await find('secret keys', `${fresh},${bench.keys}`)).toMatchObject({
      level: 'warn',
      todo: 'Run: landlord rekey',
    });
    expect(await find('secret keys')).toMatchObject({ level: 'ok', what: 'all secrets use k1' });
  });
});

async function announceCell(bench: OperatorBench, cell: string, secondsAgo: number): Promise<void> {
  await bench.rows(
    `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version, seen_at)
     values ($1, 'http://x', 'http://x', '{*}', '{}', 'embedded', '1', '1', now() - make_interval(secs => $2))`,
    [cell, secondsAgo],
  );
}
