import { eventually, given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('The cleanup of a worker', () => {
  let cloud: TestMainApi;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
  });
  afterAll(() => cloud.close());

  /** Runs a worker until the condition is true. */
  async function work(what: string, condition: () => Promise<boolean>): Promise<void> {
    const worker = await cloud.another({ LANDLORD_ROLE: 'worker' });
    try {
      await eventually(what, condition);
    } finally {
      await worker.close();
    }
  }
  const count = async (text: string, values: unknown[]): Promise<number> =>
    Number((await cloud.rows<{ count: string }>(`select count(*) from ${text}`, values))[0]?.count);

  it('deletes expired sessions, and keeps the others', async () => {
    const { id } = await given.user(cloud, { email: 'ann@people.example' });
    const [expired, valid] = [await given.session(cloud, id), await given.session(cloud, id)];
    await cloud.rows(`update sessions set expires_at = now() - interval '1 day' where id = $1`, [expired.id]);

    await work(
      'the expired session is deleted',
      async () => (await count('sessions where id = $1', [expired.id])) === 0,
    );

    expect(await count('sessions where id = $1', [valid.id])).toBe(1);
  });

  it('deletes stored answers after ten minutes', async () => {
    const put = (key: string) =>
      cloud.main().post(`${cloud.tenant}/divisions`, { name: key }, { 'idempotency-key': key });
    await put('old');
    await put('new');
    const answers = (key: string) => count('idempotency_records where key = $1', [key]);
    expect([await answers('old'), await answers('new')]).toEqual([1, 1]);
    await cloud.rows(`update idempotency_records set created_at = now() - interval '11 minutes' where key = 'old'`);

    await work('the old answer is deleted', async () => (await answers('old')) === 0);

    expect(await answers('new')).toBe(1);
  });

  it('seals the audit entries', async () => {
    await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'sealed' });
    expect(await count('audit_unsealed', [])).toBeGreaterThan(0);

    await work('all entries are sealed', async () => (await count('audit_unsealed', [])) === 0);

    expect(await count('audit_seals where tenant_id = $1', [cloud.installation.tenant_id])).toBeGreaterThan(0);
  });
});
