import { TestCloud } from '@libs/testing';

describe('Idempotency keys', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  it('create one deployment for 120 parallel repeats', async () => {
    const body = { cloud: 'aws', region: 'us-east-1' };
    const headers = { 'idempotency-key': 'one-and-only' };

    const answers = await Promise.all(
      Array.from({ length: 120 }, () => cloud.main().post(`${cloud.division}/deployments/starter`, body, headers)),
    );

    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status !== 202);
    expect(new Set(accepted.map((answer) => answer.headers.get('ld-deployment'))).size).toBe(1);
    expect(accepted.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    for (const answer of refused) expect(answer).toBeProblem('idempotent_request_in_progress', { status: 409 });
    expect(await cloud.rows('select id from deployments')).toHaveLength(1);
    expect(await cloud.rows(`select 1 from operations where type = 'provision_deployment'`)).toHaveLength(1);
    expect(await cloud.rows(`select 1 from audit_entries where type = 'deployment_created'`)).toHaveLength(1);
  });

  it('replay status, body and headers, with a new request id', async () => {
    const headers = { 'idempotency-key': 'replay' };
    const first = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Twice' }, headers);

    const again = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Twice' }, headers);

    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('ld-division')).toBe(first.headers.get('ld-division'));
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('ld-request')).not.toBe(first.headers.get('ld-request'));
  });

  it('refuse another body, path or method under the same key', async () => {
    const headers = { 'idempotency-key': 'reused' };
    await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'A' }, headers);

    const answer = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'B' }, headers);

    expect(answer).toBeProblem('idempotency_error', { status: 409 });
    expect(await cloud.main().put(cloud.division, { name: 'A' }, headers)).toBeProblem('idempotency_error');
  });

  it('replay a refusal, after a rollback of its changes', async () => {
    const headers = { 'idempotency-key': 'refused' };
    const first = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Default' }, headers);
    await cloud.main().put(cloud.division, { name: 'Renamed' });

    const again = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Default' }, headers);

    expect(first).toBeProblem('name_taken');
    expect(again).toBeProblem('name_taken');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await cloud.rows(`select 1 from divisions where name = 'Default'`)).toEqual([]);
  });

  it('belong to the API key that used them, expire after ten minutes, and are stored sealed', async () => {
    const headers = { 'idempotency-key': 'aging' };
    await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Aging' }, headers);
    const [record] = await cloud.rows<{ answer: string }>(`select answer from idempotency_records where key = 'aging'`);
    await cloud.rows(`update idempotency_records set created_at = now() - interval '601 seconds'`);

    const later = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Aging' }, headers);

    expect(record?.answer).not.toContain('Aging');
    expect(later).toBeProblem('name_taken');
    expect(later.headers.get('idempotent-replayed')).toBeNull();
  });

  it.each(['', 'x'.repeat(256)])('must have 1 to 255 characters (%#)', async (key) => {
    const answer = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Z' }, { 'idempotency-key': key });

    expect(answer).toBeProblem('validation_failed');
  });
});
