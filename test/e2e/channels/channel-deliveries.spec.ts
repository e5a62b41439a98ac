import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, TestCloud, WebhookReceiver, type ReceivedRequest } from '@libs/testing';
import { Webhook } from 'standardwebhooks';

/** The schema of the body in the API description. */
const { webhooks } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../contract/openapi.main-api.json'), 'utf8'),
);
const DESCRIBED = webhooks.notification.post.requestBody.content['application/json'].schema;

describe('A webhook channel', () => {
  let cloud: TestCloud;
  let receiver: WebhookReceiver;
  let number = 0;

  beforeAll(async () => {
    cloud = await TestCloud.borrow({ env: await WebhookReceiver.env() });
  });
  afterAll(() => cloud.stop());
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterEach(async () => {
    await cloud.rows('delete from notification_channels');
    await receiver.stop();
  });

  const nextPath = (): string => `/hook-${(number += 1)}`;
  async function channel(path = nextPath(), more: object = {}, owner = cloud.tenant) {
    const asked = { channel: 'webhook', name: `hook ${path}`, destination: `${receiver.url}${path}`, ...more };
    const { status, body } = await cloud.main().post(`${owner}/channels`, asked);
    expect([status, body.code]).toEqual([201, undefined]);
    return { path, id: body.id as number, secret: body.secret as string, url: `${owner}/channels/${body.id}` };
  }
  const division = async (name = `division ${(number += 1)}`): Promise<number> =>
    (await cloud.main().post(`${cloud.tenant}/divisions`, { name })).body.id;
  const isDue = (id: number) =>
    cloud.rows(
      `with d as (update notification_deliveries set next_attempt_at = now() where channel_id = $1 and attempts > 0)
       update notification_lanes set due_at = now(), signal_seq = signal_seq + 1 where channel_id = $1`,
      [id],
    );
  const arrived = (path: string, count = 1): Promise<ReceivedRequest[]> =>
    eventually('it has come', () => (receiver.at(path).length >= count ? receiver.at(path) : null));

  it('delivers events signed as Standard Webhooks requires, and lists them in its history', async () => {
    const { path, id, secret, url } = await channel();
    const divisionId = await division('Payments');

    const [request] = await arrived(path);

    const verified = new Webhook(secret).verify(request?.text ?? '', request?.headers as Record<string, string>);
    expect(verified).toEqual({
      id: request?.headers['webhook-id'],
      sequence: 1,
      type: 'division_created',
      created_at: expect.any(String),
      tenant_id: cloud.installation.tenant_id,
      division_id: divisionId,
      environment_id: null,
      deployment_id: null,
      subject: 'Division Payments was created',
      body: expect.stringContaining(`Division: Payments (id ${divisionId})`),
      data: { name: 'Payments', description: null, email: null, protected: false },
    });
    expect(Object.keys(request?.body as object).sort()).toEqual(Object.keys(DESCRIBED.properties).sort());
    expect(() => new Webhook(secret).verify(`${request?.text} `, request?.headers as any)).toThrow();
    const history = await eventually('the history tells', async () => {
      const { body } = await cloud.main().get(`${url}/notifications`);
      return body.total_results > 0 ? body : null;
    });
    expect(history.items).toEqual([
      {
        id: expect.any(Number),
        tenant_id: cloud.installation.tenant_id,
        division_id: divisionId,
        environment_id: null,
        deployment_id: null,
        message_type: 'division_created',
        content: expect.stringContaining('Division Payments was created\n\nDivision: Payments'),
        created_at: expect.any(String),
      },
    ]);
    const [row] = await cloud.rows<any>('select destination, secret from notification_channels where id = $1', [id]);
    expect(JSON.stringify(row)).not.toContain(path);
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('sends its own headers, and both signatures while a replaced secret is still valid', async () => {
    const { path, secret, url } = await channel(nextPath(), {
      settings: { webhook: { headers: { 'x-team': 'red' } } },
    });
    const { status, body } = await cloud.main().post(`${url}/rotate`, { overlap_seconds: 60 });
    expect([status, body.secret === secret]).toEqual([200, false]);

    await division();
    const [both] = await arrived(path);
    expect(both?.headers['x-team']).toBe('red');
    for (const known of [secret, body.secret as string])
      new Webhook(known).verify(both?.text ?? '', both?.headers as any);

    const again = await cloud.main().post(`${url}/rotate`, { overlap_seconds: 0 });
    await division();
    const [, one] = await arrived(path, 2);
    new Webhook(again.body.secret).verify(one?.text ?? '', one?.headers as any);
    expect(() => new Webhook(body.secret).verify(one?.text ?? '', one?.headers as any)).toThrow();
  });

  it('retries a refused delivery with the same id, while later events do not wait', async () => {
    const { path, id, url } = await channel();
    receiver.answer = { body: `no: ${'x'.repeat(3_000)}` };
    receiver.react = ({ body }) => (body.sequence === 1 ? 500 : 204);
    await division();
    await division();
    await arrived(path, 2);
    const failed = await eventually('the failure is noted', async () => {
      const { body } = await cloud.main().get(`${url}/deliveries?status=pending`);
      return body.items[0]?.attempts === 1 ? body.items[0] : null;
    });
    expect(failed).toMatchObject({ sequence: 1, last_attempt: { status: 500, error: 'the destination answered 500' } });
    expect(failed.last_attempt.response).toHaveLength(1_024);
    expect(receiver.at(path).map(({ body }) => body.sequence)).toEqual([1, 2]);

    receiver.react = () => 204;
    await isDue(id);
    const requests = await arrived(path, 3);

    expect(requests.map(({ body }) => body.sequence)).toEqual([1, 2, 1]);
    expect(requests[2]?.headers['webhook-id']).toBe(requests[0]?.headers['webhook-id']);
    const one = await eventually('it is delivered', async () => {
      const { body } = await cloud.main().get(`${url}/deliveries/${failed.id}`);
      return body.status === 'delivered' ? body : null;
    });
    expect([one.attempts, one.next_attempt_at, one.log.map(({ status }: any) => status)]).toEqual([
      2,
      null,
      [500, 204],
    ]);
  });

  it('sends first attempts in the order of events', async () => {
    const { path } = await channel();
    for (let n = 0; n < 30; n += 1) await division();
    const requests = await arrived(path, 30);

    const ids = requests.map(({ body }) => body.division_id as number);
    expect(requests.map(({ body }) => body.sequence)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it('does not delay other channels when its destination hangs or resets', async () => {
    const dead = await channel();
    const sound = await channel();
    receiver.react = ({ path, body }) => (path === dead.path ? (body.sequence % 2 === 0 ? 'reset' : 'hang') : 204);
    for (let n = 0; n < 5; n += 1) await division();

    await arrived(sound.path, 5);
    const { body } = await cloud.main().get(`${dead.url}/deliveries`);

    expect(body.items.every(({ status }: any) => status === 'pending')).toBe(true);
    expect(body.total_results).toBe(5);
  });

  it('delivers again on request, with the same id', async () => {
    const { path, url } = await channel();
    await division();
    await arrived(path);
    const [item] = (
      await eventually('it is noted', async () => {
        const { body } = await cloud.main().get(`${url}/notifications`);
        return body.total_results === 1 ? body : null;
      })
    ).items;

    const { status } = await cloud.main().post(`${url}/deliveries/${item.id}/redeliver`);

    const [first, second] = await arrived(path, 2);
    expect(status).toBe(204);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect((await cloud.main().get(`${url}/notifications`)).body.total_results).toBe(1);
    const again = await cloud.main().post(`${url}/deliveries/${item.id}/redeliver`);
    expect(again).toBeProblem('redelivery_too_soon', { status: 429 });
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
    await cloud.rows(`update notification_channels set redelivered_at = now() - interval '11 seconds'`);
    expect((await cloud.main().post(`${url}/deliveries/${item.id}/redeliver`)).status).toBe(204);
  });

  it('delivers nothing while it is disabled, and skips the events of that time', async () => {
    const { path, url } = await channel();
    expect((await cloud.main().put(url, { enabled: false })).status).toBe(204);
    await division('unheard');
    await eventually('it was handed on', async () => {
      const [row] = await cloud.rows<any>('select count(*)::int as count from outbox where dispatched_at is null');
      return row.count === 0;
    });
    await cloud.main().put(url, { enabled: true });
    await division('heard');

    const [request] = await arrived(path);
    expect(request?.body.data.name).toBe('heard');
    expect(receiver.at(path)).toHaveLength(1);
  });

  it('can be tested once in ten seconds, regardless of its subscriptions', async () => {
    const { path, url, id } = await channel();
    await cloud.main().post(`${url}/subscriptions`, { message_types: ['certificate_expiring'] });

    const first = await cloud.main().post(`${url}/test`);
    const second = await cloud.main().post(`${url}/test`);

    expect(first.status).toBe(204);
    expect(second).toBeProblem('channel_test_too_soon');
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    const [request] = await arrived(path);
    expect(request?.body).toMatchObject({ type: 'channel_test', sequence: 1, data: {} });
    await cloud.rows(`update notification_channels set tested_at = now() - interval '11 seconds' where id = $1`, [id]);
    expect((await cloud.main().post(`${url}/test`)).status).toBe(204);
  });

  const isFailing = async (id: number): Promise<boolean> =>
    (await cloud.rows('select from notification_lanes where channel_id = $1 and failing_since is not null', [id]))
      .length === 1;

  it('is no longer counted as failing after a delivery succeeds', async () => {
    const { path, id } = await channel();
    receiver.react = () => 500;
    await division();
    await arrived(path);
    await eventually('it fails', () => isFailing(id));

    receiver.react = () => 200;
    await isDue(id);

    await eventually('the failure is forgotten', async () => !(await isFailing(id)));
  });

  it('is disabled after five days without success, and the owner gets a mail', async () => {
    const { path, id, url } = await channel();
    receiver.react = () => 500;
    await division();
    await arrived(path);
    await eventually('it fails', () => isFailing(id));
    await cloud.rows(`update notification_lanes set failing_since = now() - interval '6 days' where channel_id = $1`, [
      id,
    ]);
    await isDue(id);

    await eventually('it is off', async () => (await cloud.main().get(url)).body.enabled === false);
    const entries = await cloud.main().get(`/audit${cloud.tenant}?types=channel_disabled`);
    expect(entries.body.items[0]).toMatchObject({ type: 'channel_disabled', author: null });
    const [mail] = await cloud.rows<any>(`select recipient from mails where subject like 'The channel % is disabled'`);
    expect(mail.recipient).toBe(cloud.installation.owner_email);
    expect(await cloud.main().post(`${url}/test`)).toBeProblem('state_conflict');
  });
});
