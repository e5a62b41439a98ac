import { eventually, TestCloud } from '@libs/testing';
import { runLandlord, type Said } from './run-landlord.js';

const starter = { cloud: 'aws', region: 'us-east-1' };

describe('An operator at the command line', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start();
  });
  afterAll(() => cloud.stop());

  const landlord = (...args: string[]): Promise<Said> =>
    runLandlord(
      {
        DATABASE_URL: cloud.database.url,
        LANDLORD_DATA_DIR: cloud.directory,
        LANDLORD_SECRET_KEYS: cloud.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '',
      },
      ...args,
    );

  const ops = async <T = any>(...args: string[]): Promise<T> => {
    const { code, output } = await landlord('ops', ...args, '--json');
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    return JSON.parse(output) as T;
  };

  it('issues a key that works at once, and revokes it with immediate effect', async () => {
    const key = await ops('keys', 'issue', '--tenant', String(cloud.installation.tenant_id), '--days', '3');
    expect((await cloud.main(key.secret).get(cloud.tenant)).status).toBe(200);

    const { code, output } = await landlord('ops', 'keys', 'revoke', String(key.id));

    expect(await cloud.main(key.secret).get(cloud.tenant)).toBeProblem('unauthenticated');
    expect(await cloud.runtime(key.secret).get('/deployments/1')).toBeProblem('unauthenticated');
    expect([code, output]).toEqual([0, expect.stringContaining('The APIs refuse this key.')]);
  });

  it('drains a cell: its regions accept no order until the cell resumes', async () => {
    const { code } = await landlord('ops', 'cells', 'drain', 'local');
    const refused = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    const { body: clouds } = await cloud.main().get(`${cloud.tenant}/clouds/aws/regions`);
    const listed = await ops('cells', 'list');
    await landlord('ops', 'cells', 'resume', 'local');

    const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);

    expect(code).toBe(0);
    expect(refused).toBeProblem('provider_unavailable', { status: 503 });
    expect(JSON.stringify(clouds)).not.toContain('"available":true');
    expect(listed).toMatchObject([{ cell: 'local', drained_at: expect.any(String) }]);
    expect(accepted.status).toBe(202);
    await cloud.main().get(`${cloud.tenant}/operations/${accepted.headers.get('ld-operation')}?wait=50`);
  });

  it('orders a region of a drained cell from another cell that serves it', async () => {
    await cloud.rows(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version, seen_at)
       values ('other', 'http://x', 'http://x', '{*}', '{"aws": "local"}', 'embedded', '1.2.0', '0', now())`,
    );
    await landlord('ops', 'cells', 'drain', 'local');
    const order = { name: 'away', ...starter, tier: 'small', cluster: 'cluster', managed_tier: 'standard' };

    const accepted = await cloud.main().post(`${cloud.environment}/deployments/managed`, order);

    await landlord('ops', 'cells', 'resume', 'local');
    expect(accepted.status).toBe(202);
    expect(await cloud.rows(`select cell from deployments where name = 'away'`)).toEqual([{ cell: 'other' }]);
    const [waiting] = await ops('operations', 'list', '--status', 'pending');
    expect(waiting).toMatchObject({ queue: 'operations.other' });
    const shown = await landlord('ops', 'operations', 'show', String(waiting.id));
    expect(shown.output).toMatch(/operation +\d+ provision_deployment\n[^]*status +pending/);
  });

  it('explains a deployment on one screen, and shows no character that changes the terminal', async () => {
    const [node] = await ops('nodes', 'list', '--status', 'running');
    const id = String(node.deployment_id);
    await cloud.rows(
      `insert into node_logs (deployment_id, node_id, at, runtime, level, message) values ($1, $2, now(), 'broker', 'error', $3)`,
      [node.deployment_id, node.id, 'refused \u001b[2J\u202Eclient\u009b1m'],
    );

    const { code, output } = await landlord('ops', 'deployments', 'explain', id);
    const explanation = await ops('deployments', 'explain', id);
    const unknown = await landlord('ops', 'deployments', 'explain', '999999');

    expect(code).toBe(0);
    expect(output).toMatch(/^supervisor +local, alive, seen \d+s ago$/m);
    expect(output).toMatch(/provision_deployment +succeeded/);
    expect(output).toMatch(new RegExp(`^${node.id} +${node.name} +running`, 'm'));
    expect(output).toMatch(/refused .*client/);
    // eslint-disable-next-line no-control-regex -- the terminal must not get them.
    expect(output).not.toMatch(/[\u001b\u009b\u202e]/);
    expect(explanation).toMatchObject({ deployment: { id: node.deployment_id }, problems: [{ level: 'error' }] });
    expect(JSON.stringify(explanation)).not.toMatch(/password|secret|token/i);
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('There is no deployment 999999.') });
  });

  it('stops the broker of a node cleanly, keeps it stopped and resumes it, while the agent keeps running', async () => {
    const [node] = await ops('nodes', 'list', '--status', 'running');
    const nodeNow = async () => (await ops('nodes', 'list', '--deployment', String(node.deployment_id)))[0];
    const agents = async () =>
      (await cloud.nodeProcesses()).filter(({ command }) => /agent\.main/.test(command)).map(({ pid }) => pid);
    const before = await agents();

    await landlord('ops', 'nodes', 'drain', String(node.id));
    await eventually('the broker has stopped', async () => (await nodeNow()).status === 'stopped');
    const { output } = await landlord('ops', 'deployments', 'explain', String(node.deployment_id));
    expect(output).toContain(`-> Allow the broker to run: landlord ops nodes resume ${node.id}`);
    const brokers = (await cloud.nodeProcesses()).filter(({ command }) => /embedded\.main/.test(command));
    await landlord('ops', 'nodes', 'resume', String(node.id));
    await eventually('the broker runs again', async () => (await nodeNow()).status === 'running');

    expect(brokers).toEqual([]);
    expect(await agents()).toEqual(before);
    expect(await nodeNow()).toMatchObject({ drained_at: null, observed_generation: node.observed_generation + 2 });
  });

  it('is recorded, and is named `operator` in the audit of the tenant', async () => {
    const entries = await cloud.rows('select type, author_name from audit_entries where author_id = 0 order by id');
    const [action] = await cloud.rows('select operator, verb, subject from operator_actions order by id limit 1');

    expect(entries.map(({ type }) => type)).toEqual([
      'api_key_created',
      'api_key_deleted',
      'node_drained',
      'node_resumed',
    ]);
    expect(new Set(entries.map(({ author_name }) => author_name))).toEqual(new Set(['operator']));
    expect(action).toMatchObject({ operator: expect.stringMatching(/^.+@.+$/), verb: 'keys issue' });
  });

  it('marks an invoice as paid once, and the tenant reads the new status at once', async () => {
    await cloud.rows(
      `with report as (
         insert into billing_reports (tenant_id, month, is_final) values ($1, '2026-01-01', true) returning id, tenant_id, month
       )
       insert into invoices (report_id, tenant_id, month, status, number, provider, bill_to)
       select id, tenant_id, month, 'pending', '2026-01-000001', 'manual', '{"tenant": "My organization"}' from report`,
      [cloud.installation.tenant_id],
    );
    const [invoice] = await ops('invoices', 'list', '--status', 'pending', '--month', '2026-01');

    const paid = await landlord('ops', 'invoices', 'paid', invoice.number, '--reference', 'wire 4711');
    const cancelled = await landlord('ops', 'invoices', 'cancel', invoice.number, '--reason', 'Made in error.');
    const unreasoned = await landlord('ops', 'invoices', 'failed', invoice.number);

    expect(paid).toEqual({
      code: 0,
      output: expect.stringMatching(/^Invoice 2026-01-000001 of tenant 1 .* is paid\.\n$/),
    });
    expect(cancelled).toEqual({ code: 1, output: 'Invoice 2026-01-000001 is paid. This status is final.\n' });
    expect([unreasoned.code, unreasoned.output]).toEqual([1, expect.stringContaining('--reason <text>')]);
    const { body } = await cloud.main().get(`${cloud.tenant}/billing/invoices/${invoice.id}`);
    expect(body).toMatchObject({ status: 'paid', settled_at: expect.any(String) });
    expect(await ops('invoices', 'show', invoice.number)).toMatchObject({ status: 'paid' });
    expect((await ops('months', 'list')).length).toBeGreaterThan(0);
  });

  it('gets lists as aligned tables, and errors as a sentence', async () => {
    const table = await landlord('ops', 'tenants', 'list');
    const unknown = await landlord('ops', 'operations', 'retry', '987654');
    const wrong = await landlord('ops', 'nodes', 'drain', 'first');

    expect(table.output.split('\n')[0]).toMatch(/^ID +NAME +PLAN +OWNER +DEPLOYMENTS/);
    expect(table.output).toMatch(/^1 +My organization +enterprise +owner@landlord\.local/m);
    expect(unknown).toEqual({ code: 1, output: 'There is no operation 987654.\n' });
    expect([wrong.code, wrong.output]).toEqual([
      1,
      expect.stringContaining('The value must be a whole number above 0.'),
    ]);
  });

  it('has the doctor look at everything, and end with 1 when something fails', async () => {
    await cloud.rows(`update cells set seen_at = now() - interval '1 hour' where cell = 'other'`);
    const { code, output } = await landlord('doctor', '--json');
    const findings = JSON.parse(output.slice(0, output.lastIndexOf(']') + 1)) as { check: string; level: string }[];
    const levels = Object.fromEntries(findings.map(({ check, level }) => [check, level]));

    expect(levels).toMatchObject({
      schema: 'ok',
      grants: 'ok',
      queue: 'ok',
      'secret keys': 'ok',
      clock: 'ok',
      cells: 'warn',
      billing: 'ok',
    });
    expect(code).toBe(Object.values(levels).includes('fail') ? 1 : 0);

    const lost = await runLandlord(
      {
        DATABASE_URL: cloud.database.url,
        LANDLORD_DATA_DIR: cloud.directory,
        LANDLORD_SECRET_KEYS: `k9:${'A'.repeat(43)}=`,
      },
      'doctor',
    );
    expect(lost.code).toBe(1);
    expect(lost.output).toMatch(/^fail +secret keys +missing: k1 \(\d+ secrets\)\n +-> Add these keys/m);
  });

  it('has the doctor list every wrong setting of the launcher and of both apps, without their values', async () => {
    const wrong = { MAIN_API_PORT: 'high', RATE_LIMIT: 'secret-1', ALERT_SAMPLES: '1.5', TLS_CERT: '/only-one.pem' };
    const { code, output } = await runLandlord({ LANDLORD_DATA_DIR: cloud.directory, ...wrong }, 'doctor', '--json');
    const findings = JSON.parse(output.slice(0, output.lastIndexOf(']') + 1)) as { check: string; what: string }[];

    expect(findings.map(({ check, what }) => [check, what.split(':')[0]])).toEqual(
      ['ALERT_SAMPLES', 'MAIN_API_PORT', 'RATE_LIMIT', 'TLS_KEY'].map((name) => ['configuration', name]),
    );
    expect(code).toBe(1);
    expect(output).not.toContain('secret-1');
  });

  it('gets the advice to start Landlord without a database, and to use pg_dump for an external database', async () => {
    const away = await runLandlord({ LANDLORD_DATA_DIR: `${cloud.directory}/none` }, 'ops', 'tenants', 'list');
    const external = await landlord('backup', `${cloud.directory}/backup`);

    expect(away).toEqual({
      code: 1,
      output: expect.stringMatching(/none\/postgres does not run\. Start Landlord first/),
    });
    expect(external).toEqual({ code: 1, output: expect.stringContaining('pg_dump --format=custom') });
  });

  it('rekeys: afterwards the new key reads all secrets, and the old key is no longer needed', async () => {
    const old = cloud.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '';
    const fresh = `k2:${Buffer.alloc(32, 9).toString('base64')}`;
    const env = { DATABASE_URL: cloud.database.url, LANDLORD_DATA_DIR: cloud.directory };

    const rekeyed = await runLandlord({ ...env, LANDLORD_SECRET_KEYS: `${fresh},${old}` }, 'rekey');
    const healthy = await runLandlord({ ...env, LANDLORD_SECRET_KEYS: fresh }, 'doctor');

    expect([rekeyed.code, rekeyed.output]).toEqual([0, expect.stringContaining('All secrets use k2.')]);
    expect(healthy.output).toMatch(/^ok +secret keys +all secrets use k2$/m);
  });

  it('completes a restore with pg_restore after all processes are disconnected', async () => {
    const early = await landlord('restore', '--external');
    await Promise.all([cloud.mainApi.stop(), cloud.supervisor.stop()]);

    // PostgreSQL removes a connection shortly after its process has ended.
    const late = await eventually('nobody is connected', async () => {
      const said = await landlord('restore', '--external');
      return said.output.includes('Stop every process') ? null : said;
    });

    expect(early).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^Stop every process of Landlord first. These processes are connected: landlord-listen/,
      ),
    });
    expect([late.code, late.output]).toEqual([0, expect.stringContaining('is restored on timeline')]);
    expect((await landlord('ops', 'resume-destruction')).code).toBe(0);
  });
});
