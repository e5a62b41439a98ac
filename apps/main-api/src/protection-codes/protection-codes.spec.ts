import { stat } from 'node:fs/promises';
import { eventually, given, MailFolder, SmtpReceiver, type ApiAnswer, type FiledMail } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

/** No valid code: the alphabet has no 0 and no 1. */
const WRONG = '00000000';

/** A deployment of another test may have the same id. */
const OF_ENVIRONMENT = `action_type = 'delete_environment' and resource_id = $1`;

/** The address of the first organization and of its owner. */
const OWNER = 'owner@landlord.local';

describe('A protection code', () => {
  let cloud: TestMainApi;
  let mails: MailFolder;

  beforeAll(async () => {
    cloud = await TestMainApi.open({ FREE_DEPLOYMENTS_PER_USER: '10' });
    mails = new MailFolder(cloud.directory);
    await cloud.rows(`update tenants set plan_overrides = '{"deployment_tiers": {"free": 10}}'`);
  });
  afterAll(() => cloud.close());

  const tenantId = (): number => cloud.installation.tenant_id;
  const divisionId = (): number => cloud.installation.division_id;
  const request = (action_type: string, payload: object, key?: string): Promise<ApiAnswer> =>
    cloud.main(key ?? cloud.key).put(`${cloud.tenant}/request_code`, { action: { action_type, payload } });
  const codeIn = ({ text }: FiledMail): string => /^[A-Z2-9]{8}$/m.exec(text)?.[0] ?? '';

  /** A protected environment: its path, and a function to get a code for it. */
  async function guarded(name: string) {
    const { body } = await cloud.main().post(`${cloud.division}/environments`, { name, protected: true });
    const subject = `Code to delete the environment ${body.id}`;
    const path = `${cloud.division}/environments/${body.id}`;
    const payload = { tenant_id: tenantId(), division_id: divisionId(), environment_id: body.id as number };
    const mail = (): Promise<FiledMail> =>
      mails.after(
        OWNER,
        async () => expect(await request('delete_environment', payload)).toMatchObject({ status: 204 }),
        ({ headers }) => headers['subject']?.[0] === subject,
      );
    const remove = (code: string): Promise<ApiAnswer> => cloud.main().delete(`${path}?code=${code}`);
    const row = async () =>
      (await cloud.rows<any>(`select * from protection_codes where ${OF_ENVIRONMENT}`, [body.id]))[0];
    return { id: body.id as number, path, payload, mail, code: async () => codeIn(await mail()), remove, row };
  }
  /** Simulates that time has passed. */
  const shift = (id: number, column: string, seconds: number): Promise<unknown> =>
    cloud.rows(
      `update protection_codes set ${column} = ${column} - make_interval(secs => $2) where ${OF_ENVIRONMENT}`,
      [id, seconds],
    );

  it('is mailed with requester, action and expiry, and is stored nowhere else', async () => {
    const { id, mail, row } = await guarded('told');

    const { text, headers, raw, mode, file } = await mail();
    const code = /^[A-Z2-9]{8}$/m.exec(text)?.[0] ?? '';

    expect(code).toMatch(/^[A-Z2-9]{8}$/);
    expect(headers).toMatchObject({
      to: [cloud.installation.owner_email],
      from: ['Landlord <no-reply@landlord.local>'],
      subject: [`Code to delete the environment ${id}`],
    });
    expect(text).toMatch(/^owner@landlord\.local \(API key \d+\) asked/);
    expect(text).toContain(`the environment ${id} of division ${divisionId()} of organization ${tenantId()}.`);
    expect(text).toMatch(/until 20\d\d-\d\d-\d\d \d\d:\d\d UTC/);
    expect(mode).toBe(0o600);
    expect((await stat(mails.directory)).mode & 0o777).toBe(0o700);
    expect(file).toMatch(/^\d{8}T\d{9}Z-.*owner@landlord\.local\.eml$/);
    const stored = await eventually('the mail is out', async () => {
      const rows = await cloud.rows<any>(
        `select * from mails where status = 'delivered' and subject like '% environment ' || $1`,
        [id],
      );
      return rows.length === 1 ? (rows[0] as Record<string, string>) : null;
    });
    expect(stored['body']).toBe('');
    expect(JSON.stringify([stored, await row(), cloud.mainApi.log()])).not.toContain(code);
    expect(raw).toContain(`Message-ID: <${stored['message_id']}@landlord.local>`);
    const [entry] = await cloud.rows<any>(
      `select * from audit_entries where type = 'protection_code_requested' and environment_id = $1`,
      [id],
    );
    expect(entry).toMatchObject({ data: { action_type: 'delete_environment' }, environment_name: 'told' });
  });

  it('deletes the resource that it was requested for, in any letter case, once', async () => {
    const one = await guarded('once');
    const code = await one.code();

    const deleted = await one.remove(`%20${code.toLowerCase()}`);

    expect(deleted.status).toBe(204);
    expect((await one.row()).used_at).not.toBeNull();
    // Restores the environment, to send the same request again.
    await cloud.rows('update environments set deleted_at = null where id = $1', [one.id]);
    expect(await one.remove(code)).toBeProblem('protection_code_invalid', { status: 400 });
  });

  it('deletes a division, and a deployment', async () => {
    const division = (await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Guarded', protected: true })).body;
    const ofDivision = { tenant_id: tenantId(), division_id: division.id };
    const starter = { cloud: 'aws', region: 'us-east-1' };
    const { body } = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    await cloud.rows('update deployments set protected = true where id = $1', [body.deployment_id]);
    const path = `${cloud.environment}/deployments/${body.deployment_id}`;
    const ofDeployment = {
      tenant_id: tenantId(),
      division_id: divisionId(),
      environment_id: cloud.installation.environment_id,
      deployment_id: body.deployment_id,
    };

    const first = codeIn(await mails.after(OWNER, () => request('delete_division', ofDivision)));
    const second = codeIn(await mails.after(OWNER, () => request('delete_deployment', ofDeployment)));

    expect(await cloud.main().delete(path)).toBeProblem('protection_code_required', { status: 400 });
    expect(await cloud.main().delete(`${path}?code=${first}`)).toBeProblem('protection_code_invalid');
    expect((await cloud.main().delete(`${cloud.tenant}/divisions/${division.id}?code=${first}`)).status).toBe(204);
    const deletion = await cloud.main().delete(`${path}?code=${second}`);
    expect(deletion.status).toBe(202);
    const repeated = await cloud.main().delete(`${path}?code=${second}`);
    if (repeated.status !== 404)
      expect(repeated).toBeProblem('state_conflict', { operation_id: deletion.body.operation_id });
  });

  it('is valid only for one resource and one action', async () => {
    const [one, two] = [await guarded('this'), await guarded('that')];
    const [code] = [await one.code(), await two.code()];
    // A division with the id of the environment, so only the action differs.
    const [{ hash, salt }] = (await cloud.rows<any>(
      'select code_hash as hash, salt from protection_codes where resource_id = $1',
      [one.id],
    )) as [any];
    await cloud.rows('update divisions set protected = true where id = $1', [divisionId()]);
    await cloud.rows(
      `insert into protection_codes (action_type, resource_id, tenant_id, salt, code_hash, expires_at)
       values ('delete_division', $1, $2, $3, $4, now() + interval '10 minutes')`,
      [divisionId(), tenantId(), salt, hash],
    );

    expect(await two.remove(code)).toBeProblem('protection_code_invalid');
    expect(await cloud.main().delete(`${cloud.division}?code=${code}`)).toBeProblem('protection_code_invalid');
    await cloud.rows('update divisions set protected = false where id = $1', [divisionId()]);
    expect((await one.remove(code)).status).toBe(204);
  });

  it('gets the same refusal whether it is wrong, expired, used or was never requested', async () => {
    const [never, late] = [await guarded('never'), await guarded('late')];
    const code = await late.code();
    await shift(late.id, 'expires_at', 600);

    const answers = [await never.remove('ABCDEFGH'), await late.remove(code), await late.remove(WRONG)];

    for (const answer of answers) expect(answer).toBeProblem('protection_code_invalid', { status: 400 });
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, instance: '' }))).size).toBe(1);
  });

  it('is invalid after five wrong attempts, which count although each was refused', async () => {
    const [four, five] = [await guarded('four'), await guarded('five')];
    const [good, lost] = [await four.code(), await five.code()];

    for (let guess = 0; guess < 4; guess += 1) await four.remove(WRONG);
    for (let guess = 0; guess < 5; guess += 1) await five.remove(WRONG);

    expect((await five.row()).attempts).toBe(5);
    expect(await five.remove(lost)).toBeProblem('protection_code_invalid');
    expect((await four.remove(good)).status).toBe(204);
  });

  it('cannot be guessed in parallel: 5 of 50 parallel attempts count, then it is invalid', async () => {
    const { code, remove, row, path } = await guarded('stormed');
    const right = await code();

    const guesses = await Promise.all(Array.from({ length: 50 }, () => remove(WRONG)));

    expect(new Set(guesses.map(({ body }) => body.code))).toEqual(new Set(['protection_code_invalid']));
    expect((await row()).attempts).toBe(5);
    expect(await remove(right)).toBeProblem('protection_code_invalid');
    expect((await cloud.main().get(path)).status).toBe(200);
  });

  it('is used only by a successful deletion: after another refusal it can be sent again', async () => {
    const { body: environment } = await cloud.main().post(`${cloud.division}/environments`, { name: 'full' });
    const starter = { cloud: 'aws', region: 'us-east-1', environment_id: environment.id };
    const { status, body } = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    expect(status).toBe(202);
    const path = `${cloud.division}/environments/${environment.id}`;
    await cloud.main().put(path, { protected: true });
    const payload = { tenant_id: tenantId(), division_id: divisionId(), environment_id: environment.id };
    const code = codeIn(await mails.after(OWNER, () => request('delete_environment', payload)));

    const refused = await cloud.main().delete(`${path}?code=${code}`);
    await cloud.main().delete(`${path}/deployments/${body.deployment_id}`);
    // The row that the Supervisor leaves after the deletion.
    await cloud.rows('update deployment_runtimes set deleted_at = now() where deployment_id = $1', [
      body.deployment_id,
    ]);

    expect(refused).toBeProblem('not_empty', { status: 409 });
    expect((await cloud.main().delete(`${path}?code=${code}`)).status).toBe(204);
  });

  it('is replaced by a newer one, after one minute at the earliest', async () => {
    const { id, payload, code, remove } = await guarded('again');
    const before = (await mails.all()).length;
    const old = await code();

    const storm = await Promise.all(Array.from({ length: 5 }, () => request('delete_environment', payload)));
    expect(storm[0]).toBeProblem('code_already_requested', { status: 429, retryable: true });
    expect(Number(storm[0]?.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(storm.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
    await remove(WRONG);
    await shift(id, 'requested_at', 60);
    const fresh = await code();

    expect(await remove(old)).toBeProblem('protection_code_invalid');
    expect((await remove(fresh)).status).toBe(204);
    expect(await mails.all()).toHaveLength(before + 2);
  });

  it('is mailed once for parallel requests, and for repeats under an idempotency key', async () => {
    const { payload } = await guarded('twins');
    const before = (await mails.all()).length;
    const action = { action: { action_type: 'delete_environment', payload } };
    const put = (key: string) => cloud.main().put(`${cloud.tenant}/request_code`, action, { 'idempotency-key': key });

    const answers = await Promise.all(['a', 'b', 'c'].map((key) => put(`twins-${key}`)));
    const [first] = answers.map(({ status }, index) => (status === 204 ? index : -1)).filter((index) => index >= 0);
    const repeated = await put(`twins-${'abc'.charAt(first ?? 0)}`);

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 429, 429]);
    expect(repeated.status).toBe(204);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    await eventually('it has come', async () => (await mails.all()).length > before);
    const waiting = `select 1 from mails where status = 'waiting'`;
    await eventually('no mail waits', async () => (await cloud.rows(waiting)).length === 0);
    expect(await mails.all()).toHaveLength(before + 1);
  });

  it('is not required for an unprotected resource, and is ignored there', async () => {
    const { id, path, payload, remove } = await guarded('open');
    await cloud.main().put(path, { protected: false });

    expect((await request('delete_environment', payload)).status).toBe(204);
    expect((await remove(WRONG)).status).toBe(204);
    expect(await cloud.rows('select attempts from protection_codes where resource_id = $1', [id])).toEqual([
      { attempts: 0 },
    ]);
  });

  describe('for the organization', () => {
    /** The next mail with this subject; other mails may arrive in between. */
    async function mailAfter(subject: string, work: () => Promise<ApiAnswer>): Promise<FiledMail> {
      const those = async () => (await mails.all()).filter(({ headers }) => headers['subject']?.[0] === subject);
      const before = (await those()).length;
      expect(await work()).toMatchObject({ status: 204 });
      return eventually(`a mail "${subject}"`, async () => {
        const all = await those();
        return all.length > before ? all.at(-1) : null;
      });
    }
    const to = ({ headers }: FiledMail): string | undefined => headers['to']?.[0];
    const codeGoesTo = async (id: number, key = cloud.key): Promise<string | undefined> => {
      await cloud.rows(`delete from protection_codes where action_type = 'delete_tenant'`);
      const action = { action_type: 'delete_tenant', payload: { tenant_id: id } };
      const ask = () => cloud.main(key).put(`/tenants/${id}/request_code`, { action });
      return to(await mailAfter(`Code to delete the organization ${id}`, ask));
    };
    const change = (id: number, email: string, key = cloud.key) =>
      mailAfter(`The address of the organization ${id} was changed`, () =>
        cloud.main(key).put(`/tenants/${id}`, { email }),
      );
    /** Simulates that the address was changed a day ago. */
    const aDayLater = () => cloud.rows(`update tenants set code_email_until = now() - interval '1 second'`);

    it('goes to the address of the organization, or to its owner if there is none', async () => {
      const mail = await change(tenantId(), 'board@example.org');
      await aDayLater();
      const first = await codeGoesTo(tenantId());
      const toldAgain = await change(tenantId(), '');
      await aDayLater();

      expect([first, await codeGoesTo(tenantId())]).toEqual(['board@example.org', cloud.installation.owner_email]);
      expect([to(mail), to(toldAgain)]).toEqual([cloud.installation.owner_email, 'board@example.org']);
      expect(mail.text).toMatch(/^owner@landlord\.local \(API key \d+\) changed the address/);
      expect(mail.text).not.toContain('board@example.org');
    });

    it('goes on to a mailbox whose address is written in another way', async () => {
      const { tenantId: id } = await given.tenant(cloud);
      await cloud.rows(`update tenants set email = 'board@münchen.example' where id = $1`, [id]);
      const key = await given.key(cloud, { tenantId: id });
      const previousAddress = async () => (await cloud.rows('select code_email from tenants where id = $1', [id]))[0];

      const mail = await change(id, 'Board@XN--MNCHEN-3YA.example', key);

      expect(mail.text).toContain('go to the new address');
      expect(await previousAddress()).toEqual({ code_email: null });
      expect(await codeGoesTo(id, key)).toBe('Board@xn--mnchen-3ya.example');
    });

    it('goes to the old address for a day after the first change, also after further changes', async () => {
      const { tenantId: id } = await given.tenant(cloud);
      await cloud.rows(`update tenants set email = 'first@example.org' where id = $1`, [id]);
      const key = await given.key(cloud, { tenantId: id });
      const goesTo = () => codeGoesTo(id, key);
      const hours = async (): Promise<number | null> => {
        const until = 'extract(epoch from code_email_until - now())::float8 / 3600';
        return (await cloud.rows<any>(`select ${until} as hours from tenants where id = $1`, [id]))[0].hours;
      };

      expect(to(await change(id, 'eve@evil.example', key))).toBe('first@example.org');
      expect([await goesTo(), await hours()]).toEqual(['first@example.org', expect.closeTo(24, 1)]);
      await cloud.rows(`update tenants set code_email_until = now() + interval '1 hour' where id = $1`, [id]);
      await change(id, 'eve@other.example', key);
      expect([await goesTo(), await hours()]).toEqual(['first@example.org', expect.closeTo(24, 1)]);
      await aDayLater();
      expect(await goesTo()).toBe('eve@other.example');
      await change(id, 'eve@evil.example', key);
      await change(id, 'eve@other.example', key);
      expect([await goesTo(), await hours()]).toEqual(['eve@other.example', null]);
    });
  });

  it.each([
    ['no action', {}, '/action'],
    ['an unknown action', { action: { action_type: 'delete_all', payload: { tenant_id: 1 } } }, '/action/action_type'],
    ['no payload', { action: { action_type: 'delete_tenant' } }, '/action/payload'],
    [
      'an id too few',
      { action: { action_type: 'delete_division', payload: { tenant_id: 1 } } },
      '/action/payload/division_id',
    ],
    [
      'an id too many',
      { action: { action_type: 'delete_tenant', payload: { tenant_id: 1, division_id: 1 } } },
      '/action/payload/division_id',
    ],
    [
      'a foreign member',
      { action: { action_type: 'delete_tenant', payload: { tenant_id: 1, name: 'x' } } },
      '/action/payload/name',
    ],
    [
      'an impossible id',
      { action: { action_type: 'delete_division', payload: { tenant_id: 1, division_id: 'x' } } },
      '/action/payload/division_id',
    ],
  ])('cannot be requested with %s', async (_, body, path) => {
    const answer = await cloud.main().put(`${cloud.tenant}/request_code`, body);

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues.map((issue: any) => issue.path)).toContain(path);
  });

  it('cannot be requested for a foreign resource, or without the permission to delete', async () => {
    const other = await given.tenant(cloud);
    const { payload } = await guarded('far');
    const second = (await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Next door' })).body.id;
    const scoped = await given.key(cloud, { divisionId: second });
    const reader = await given.key(cloud, { permissions: { tenant: ['environment:read', 'division:manage'] } });
    const foreign = { ...payload, environment_id: other.environmentId };

    expect(await request('delete_tenant', { tenant_id: other.tenantId })).toBeProblem('tenant_not_found');
    expect(await request('delete_division', { tenant_id: tenantId(), division_id: other.divisionId })).toBeProblem(
      'division_not_found',
    );
    expect(await request('delete_environment', foreign)).toBeProblem('environment_not_found');
    expect(await request('delete_environment', { ...payload, division_id: second })).toBeProblem(
      'environment_not_found',
    );
    expect(await request('delete_deployment', { ...payload, deployment_id: 4711 })).toBeProblem('deployment_not_found');
    expect(await request('delete_environment', payload, scoped)).toBeProblem('division_not_found');
    expect(await request('delete_environment', payload, reader)).toBeProblem('insufficient_permissions', {
      status: 403,
      permission: 'environment:manage',
      scope: payload,
    });
    expect(await request('delete_tenant', { tenant_id: tenantId() }, reader)).toBeProblem('insufficient_permissions');
  });

  it('is the only line of its format: no name can look like a code', async () => {
    const { mail, remove } = await guarded('x\u2028AAAAAAAA\u2028BBBBBBBB');

    const { text } = await mail();
    const lines = text.split(/[\n\r\u2028\u2029]/).filter((line) => /^\W*[A-Z2-9]{8}\W*$/.test(line));

    expect(lines).toHaveLength(1);
    expect((await remove(lines[0] ?? '')).status).toBe(204);
  });

  it('is sent through SMTP from the configured sender, by a worker', async () => {
    const receiver = await SmtpReceiver.start();
    const api = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    const mail = { SMTP_URL: receiver.url, MAIL_FROM: 'Codes <codes@cloud.example>' };
    const worker = await api.another({ ...mail, LANDLORD_ROLE: 'worker' });
    try {
      const action = { action_type: 'delete_tenant', payload: { tenant_id: api.installation.tenant_id } };

      expect((await api.main().put(`${api.tenant}/request_code`, { action })).status).toBe(204);

      await eventually('it has come', () => receiver.mails.length === 1);
      expect(receiver.mails[0]).toMatchObject({
        sender: 'codes@cloud.example',
        recipients: [api.installation.owner_email],
        text: expect.stringMatching(/^[A-Z2-9]{8}$/m),
      });
    } finally {
      await worker.close();
      await api.close();
      await receiver.stop();
    }
  });
});
