import { ChannelsRepository } from '@libs/persistence/channels';
import { given, type ApiAnswer } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

/** The workers do not run here. channel-deliveries.spec.ts tests the deliveries. */
describe('Notification channels', () => {
  let cloud: TestMainApi;
  let number = 0;

  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
  });
  afterAll(() => cloud.close());
  afterEach(() => cloud.rows('delete from notification_channels'));

  const WEBHOOK = { channel: 'webhook', name: 'hook', destination: 'https://hooks.example.com/in' };
  const create = (more: object = {}, owner = cloud.tenant): Promise<ApiAnswer> =>
    cloud.main().post(`${owner}/channels`, { ...WEBHOOK, ...more });
  const createChannel = async (more: object = {}, owner = cloud.tenant): Promise<string> => {
    const { status, body } = await create({ name: `hook ${(number += 1)}`, ...more }, owner);
    expect([status, body.field_issues]).toEqual([201, undefined]);
    return `${owner}/channels/${body.id}`;
  };

  it('are listed without destination and settings, and complete when read by id', async () => {
    const settings = { webhook: { headers: { authorization: 'Bearer t0ken' } } };
    const created = await create({ settings, remarks: 'for us' });
    const { id } = created.body;

    expect(created.headers.get('ld-channel')).toBe(String(id));
    expect(created.headers.get('location')).toBe(`${cloud.tenant}/channels/${id}`);
    expect(created.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const record = { ...created.body };
    delete record.secret;
    const { destination, settings: shown, remarks, confirmed, ...item } = record;
    expect(item).toEqual({
      id,
      owner_kind: 'tenant',
      owner_id: cloud.installation.tenant_id,
      channel: 'webhook',
      name: 'hook',
      enabled: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const masked = { webhook: { headers: { authorization: '********' } } };
    expect([destination, shown, remarks, confirmed]).toEqual([WEBHOOK.destination, masked, 'for us', true]);
    expect((await cloud.main().get(`${cloud.tenant}/channels/${id}`)).body).toEqual(record);
    expect((await cloud.main().get(`${cloud.tenant}/channels`)).body.items).toEqual([item]);
    const [row] = await cloud.rows<any>('select destination, settings, secret from notification_channels');
    expect(JSON.stringify(row)).not.toMatch(/hooks\.example|t0ken|whsec/);
  });

  it('of a division belong only to it, with the same shapes', async () => {
    await createChannel({ name: 'of the tenant' });
    const path = await createChannel({ name: 'of the division' }, cloud.division);

    const { body } = await cloud.main().get(path);
    expect([body.owner_kind, body.owner_id]).toEqual(['division', cloud.installation.division_id]);
    const names = async (owner: string) =>
      (await cloud.main().get(`${owner}/channels`)).body.items.map(({ name }: any) => name);
    expect([await names(cloud.tenant), await names(cloud.division)]).toEqual([['of the tenant'], ['of the division']]);
    expect(await cloud.main().get(`${cloud.tenant}/channels/${body.id}`)).toBeProblem('channel_not_found');
    const other = await cloud.main().post(`${cloud.tenant}/divisions`, { name: `other ${(number += 1)}` });
    const elsewhere = `${cloud.tenant}/divisions/${other.body.id}/channels/${body.id}`;
    expect(await cloud.main().get(elsewhere)).toBeProblem('channel_not_found');
  });

  it('have names that are unique per owner, and a refusal names only channels of this owner', async () => {
    const { body } = await create({ name: 'Ops' });

    expect(await create({ name: 'OPS' })).toBeProblem('name_taken', { id: body.id });
    expect((await create({ name: 'ops' }, cloud.division)).status).toBe(201);
  });

  it('are listed by kind', async () => {
    await createChannel();
    await createChannel({ channel: 'email', destination: 'ops@people.example' });

    const { body } = await cloud.main().get(`${cloud.tenant}/channels?channel=email`);
    expect(body.items.map(({ channel }: any) => channel)).toEqual(['email']);
    expect(await cloud.main().get(`${cloud.tenant}/channels?channel=pigeon`)).toBeProblem('validation_failed');
  });

  it.each([
    ...[
      'https://127.0.0.1/in',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://0177.1/',
    ],
    ...['https://169.254.169.254/latest', 'https://localhost:8443/', 'http://hooks.example.com/in', 'not a URL'],
    ...['https://user:word@hooks.example.com/', 'https://[fd00:ec2::254]/', 'ftp://hooks.example.com/'],
  ])('refuse a destination that Landlord may not send to: %s', async (destination) => {
    const path = await createChannel();

    for (const channel of ['webhook', 'slack'])
      expect(await create({ channel, destination })).toBeProblem('destination_not_allowed');
    expect(await cloud.main().put(path, { destination })).toBeProblem('destination_not_allowed');
    expect((await cloud.main().get(path)).body.destination).toBe(WEBHOOK.destination);
  });

  it.each([
    ['an address that is none', { channel: 'email', destination: 'ops' }, '/destination'],
    [
      'settings for mail',
      { channel: 'email', destination: 'a@people.example', settings: { webhook: {} } },
      '/settings/webhook',
    ],
    ['settings of another kind', { settings: { slack: { channel: '#ops' } } }, '/settings/slack'],
    ['a setting that there is not', { settings: { webhook: { retries: 3 } } }, '/settings/webhook/retries'],
    [
      'a header of its own',
      { settings: { webhook: { headers: { 'Webhook-Id': 'x' } } } },
      '/settings/webhook/headers/Webhook-Id',
    ],
    [
      'two lines in a header',
      { settings: { webhook: { headers: { 'x-a': 'b\r\nc: d' } } } },
      '/settings/webhook/headers/x-a',
    ],
    [
      'a control character',
      { channel: 'slack', settings: { slack: { username: 'a\u0007' } } },
      '/settings/slack/username',
    ],
    ['remarks without end', { remarks: 'x'.repeat(501) }, '/remarks'],
    ['no name', { name: '' }, '/name'],
    ['a web address as a name', { name: 'win at http://evil.example' }, '/name'],
    ['another kind', { channel: 'pigeon' }, '/channel'],
  ])('refuse %s', async (_, more, path) => {
    const answer = await create(more);
    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map((issue: any) => issue.path)).toContain(path);
  });

  it('have a signing secret only for webhooks', async () => {
    const path = await createChannel({ channel: 'slack', destination: 'https://hooks.example.com/services/T' });
    expect((await cloud.main().get(path)).body).not.toHaveProperty('secret');
    expect(await cloud.main().post(`${path}/rotate`, {})).toBeProblem('state_conflict');
  });

  it('change only the given members, and honour if-match', async () => {
    const path = await createChannel({ remarks: 'old', settings: { webhook: { headers: { 'x-a': '1' } } } });
    const { headers } = await cloud.main().get(path);

    expect((await cloud.main().put(path, { remarks: null, settings: null, enabled: false })).status).toBe(204);
    const late = await cloud.main().put(path, { name: 'late' }, { 'if-match': headers.get('etag') ?? '' });

    expect((await cloud.main().get(path)).body).toMatchObject({ remarks: null, settings: null, enabled: false });
    expect(late).toBeProblem('precondition_failed');
    const [entry] = (await cloud.main().get(`/audit${cloud.tenant}?types=channel_updated`)).body.items;
    expect(entry.data).toEqual({
      enabled: false,
      remarks: null,
      settings_changed: true,
      previous: { enabled: true, remarks: 'old' },
    });
  });

  describe('with secrets', () => {
    const HEADERS = { authorization: 'Bearer t0ken', 'x-team': 'red' };
    const MASKED = { authorization: '********', 'x-team': '********' };
    const secret = () => createChannel({ settings: { webhook: { headers: HEADERS } } });
    const webhook = (headers: object) => ({ webhook: { headers } });
    /** The stored values, as the deliveries read them. */
    async function stored(path: string) {
      const [id, [tenantId, divisionId]] = [Number(path.split('/').at(-1)), [cloud.installation.tenant_id, null]];
      const channel = await cloud.asSupervisor((database, secrets) =>
        new ChannelsRepository(database, secrets).find({ tenantId, divisionId }, id),
      );
      return { destination: channel?.destination, settings: channel?.settings };
    }

    it('accept the settings that they show, and keep masked values', async () => {
      const path = await secret();
      const { body } = await cloud.main().get(path);
      expect(body.settings).toEqual(webhook(MASKED));

      expect((await cloud.main().put(path, { ...body, name: 'another' })).status).toBe(204);
      const changed = webhook({ Authorization: '********', 'x-team': 'blue' });
      expect((await cloud.main().put(path, { settings: changed })).status).toBe(204);
      const moved = 'https://hooks.example.com/other';
      expect((await cloud.main().put(path, { destination: moved })).status).toBe(204);

      const settings = webhook({ Authorization: HEADERS.authorization, 'x-team': 'blue' });
      expect(await stored(path)).toEqual({ destination: moved, settings });
    });

    it.each([
      ['another host', { destination: 'https://attacker.example/in' }],
      ['another port', { destination: 'https://hooks.example.com:8443/in' }],
      ['a mask of another host', { destination: 'https://attacker.example/********', settings: null }],
      ['masks and another host', { destination: 'https://attacker.example/in', settings: webhook(MASKED) }],
    ])('lose their secrets with %s', async (_, change) => {
      const path = await secret();

      expect(await cloud.main().put(path, change)).toBeProblem('secret_required', { status: 400 });

      expect(await stored(path)).toEqual({ destination: WEBHOOK.destination, settings: webhook(HEADERS) });
      const changes = { destination: 'https://attacker.example/in', settings: webhook({ authorization: 'own' }) };
      expect((await cloud.main().put(path, changes)).status).toBe(204);
    });

    it('refuse a mask for a value that is not stored', async () => {
      const path = '/settings/webhook/headers/cookie';
      const created = await create({ settings: webhook({ cookie: '********' }) });
      const changed = await cloud.main().put(await secret(), { settings: webhook({ cookie: '********' }) });
      for (const answer of [created, changed])
        expect(answer).toBeProblem('validation_failed', { field_issues: [expect.objectContaining({ path })] });
    });

    it('show readers only the host of the destination', async () => {
      const reader = cloud.main(await given.key(cloud, { permissions: { tenant: ['notifications:read'] } }));
      const shown = async (path: string) => (await reader.get(path)).body;
      const hook = 'https://hooks.example.com:8443/services/T/B/s3cret?token=s3cret';
      const slack = await createChannel({ channel: 'slack', destination: hook });
      const mail = await createChannel({ channel: 'email', destination: 'jane.doe@people.example' });

      expect(await shown(slack)).toMatchObject({ destination: 'https://hooks.example.com:8443/********' });
      expect(await shown(mail)).toMatchObject({ destination: '********@people.example' });
      expect(await shown(await secret())).toMatchObject({ settings: webhook(MASKED) });
      expect((await cloud.main().get(slack)).body.destination).toBe(hook);
      const { body } = await reader.get(slack);
      expect((await cloud.main().put(slack, { destination: body.destination, name: 'kept' })).status).toBe(204);
      expect((await stored(slack)).destination).toBe(hook);
    });
  });

  it('are deleted together with their subscriptions', async () => {
    const path = await createChannel();
    await cloud.main().post(`${path}/subscriptions`, { message_types: ['division_created'] });

    expect((await cloud.main().delete(path)).status).toBe(204);

    expect(await cloud.rows('select from notification_subscriptions')).toEqual([]);
    expect(await cloud.rows('select from notification_lanes')).toEqual([]);
    expect(await cloud.main().get(`${path}/subscriptions`)).toBeProblem('channel_not_found');
  });

  it('show deliveries of the last 90 days only', async () => {
    const path = await createChannel();
    // The table of a month that is over is dropped, and the clock of the database cannot be set. So the test adds a
    // partition.
    await cloud.rows(`do $$ begin execute format(
      'create table if not exists notification_deliveries_long_ago partition of notification_deliveries for values from (%L) to (%L)',
      date_trunc('month', now() at time zone 'utc') - interval '5 months', date_trunc('month', now() at time zone 'utc')); end $$`);
    for (const age of ['89 days', '91 days'])
      await cloud.rows(
        `insert into notification_deliveries (created_at, channel_id, sequence, message_id, message_type, tenant_id, subject, content,
           data, event_at, status, delivered_at)
         values (now() - $1::interval, $2, 1, gen_random_uuid(), 'member_joined', $3, $1, '', '{}', now(), 'delivered', now())`,
        [age, path.split('/').at(-1), cloud.installation.tenant_id],
      );

    for (const list of ['notifications', 'deliveries']) {
      const { body } = await cloud.main().get(`${path}/${list}`);
      expect([body.total_results, body.items.length]).toEqual([1, 1]);
    }
    const { body } = await cloud.main().get(`${path}/deliveries`);
    expect(body.items[0].subject).toBe('89 days');
  });

  describe('subscribe', () => {
    it('to types and scopes, whose names are shown; levels without entries are omitted', async () => {
      const path = await createChannel();
      const { tenant_id, division_id, environment_id } = cloud.installation;
      const scope = {
        scope_tenant_ids: [tenant_id],
        scope_division_ids: [division_id],
        scope_environment_ids: [environment_id],
      };
      const created = await cloud.main().post(`${path}/subscriptions`, { message_types: ['node_reachable'], ...scope });

      const { body } = await cloud.main().get(`${path}/subscriptions/${created.body.id}`);
      expect(created.headers.get('ld-subscription')).toBe(String(body.id));
      expect(body).toEqual({
        id: created.body.id,
        channel_id: Number(path.split('/').at(-1)),
        message_types: ['node_reachable'],
        scope_tenants: [{ id: tenant_id, name: expect.any(String) }],
        scope_divisions: [{ id: division_id, name: 'Default' }],
        scope_environments: [{ id: environment_id, name: 'sandbox' }],
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      const item = { ...body };
      delete item.scope_environments;
      expect((await cloud.main().get(`${path}/subscriptions`)).body.items).toEqual([item]);
    });

    it.each([
      ['no type', { message_types: [] }, '/message_types'],
      ['an unknown type', { message_types: ['division_created', 'rain'] }, '/message_types'],
      ['one type twice', { message_types: ['division_created', 'division_created'] }, '/message_types'],
      [
        'ids of nothing',
        { message_types: ['division_created'], scope_division_ids: [999_999_999] },
        '/scope_division_ids/0',
      ],
      ['no ids', { message_types: ['division_created'], scope_tenant_ids: ['1'] }, '/scope_tenant_ids'],
    ])('refusing %s', async (_, subscription, path) => {
      const url = `${await createChannel()}/subscriptions`;
      const one = await cloud.main().post(url, subscription);
      const all = await cloud
        .main()
        .put(url, { subscriptions: [{ message_types: ['division_created'] }, subscription] });

      expect(one).toBeProblem('validation_failed');
      expect(one.body.field_issues.map((issue: any) => issue.path)).toEqual([path]);
      expect(all.body.field_issues.map((issue: any) => issue.path)).toEqual([`/subscriptions/1${path}`]);
      expect((await cloud.main().get(url)).body.total_results).toBe(0);
    });

    it('in a division only to resources of this division', async () => {
      const path = await createChannel({}, cloud.division);
      const division = await cloud.main().post(`${cloud.tenant}/divisions`, { name: `other ${(number += 1)}` });
      const other = `${cloud.tenant}/divisions/${division.body.id}`;
      const environment = await cloud.main().post(`${other}/environments`, { name: 'theirs' });

      const subscribe = (scope: object): Promise<ApiAnswer> =>
        cloud.main().post(`${path}/subscriptions`, { message_types: ['division_updated'], ...scope });
      expect(await subscribe({ scope_division_ids: [division.body.id] })).toBeProblem('validation_failed');
      expect(await subscribe({ scope_environment_ids: [environment.body.id] })).toBeProblem('validation_failed');
      expect((await subscribe({ scope_division_ids: [cloud.installation.division_id] })).status).toBe(201);
    });

    it('replacing all subscriptions at once, or none', async () => {
      const url = `${await createChannel()}/subscriptions`;
      await cloud.main().post(url, { message_types: ['division_created'] });
      const types = async (): Promise<string[][]> =>
        (await cloud.main().get(url)).body.items.map((item: any) => item.message_types);

      const subscriptions = [
        { message_types: ['node_reachable'] },
        { message_types: ['node_unreachable', 'member_joined'] },
      ];
      expect((await cloud.main().put(url, { subscriptions })).status).toBe(204);
      const [entry] = (await cloud.main().get(`/audit${cloud.tenant}?types=subscriptions_replaced`)).body.items;

      expect(await types()).toEqual([['node_unreachable', 'member_joined'], ['node_reachable']]);
      expect(entry.data.subscriptions).toEqual(subscriptions);
      expect(entry.data.previous).toEqual({ subscriptions: [{ message_types: ['division_created'] }] });
      await cloud.main().put(url, { subscriptions });
      expect((await cloud.main().get(`/audit${cloud.tenant}?types=subscriptions_replaced`)).body.items).toEqual([
        entry,
      ]);
      expect((await cloud.main().put(url, { subscriptions: [] })).status).toBe(204);
      expect(await types()).toEqual([]);
    });

    it('up to the limit of the plan, also when they are replaced', async () => {
      const { tenantId } = await given.tenant(cloud, 'basic');
      const as = cloud.main(await given.key(cloud, { tenantId }));
      const emailChannel = { ...WEBHOOK, channel: 'email', destination: 'ops@people.example' };
      const channel = await as.post(`/tenants/${tenantId}/channels`, emailChannel);
      const url = `/tenants/${tenantId}/channels/${channel.body.id}/subscriptions`;
      const so = (count: number): object => ({
        subscriptions: Array.from({ length: count }, () => ({ message_types: ['division_created'] })),
      });

      expect((await as.put(url, so(5))).status).toBe(204);
      expect((await as.put(url, so(5))).status).toBe(204);
      expect(await as.put(url, so(6))).toBeProblem('plan_limit_reached');
      expect(await as.post(url, { message_types: ['division_created'] })).toBeProblem('plan_limit_reached');
    });
  });
});
