import { eventually, given, TestCloud, type ApiAnswer } from '@libs/testing';
import { row } from './row.js';

const PAID = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
const LONE_SURROGATE = '{"name":"x\\ud800"}';

/** The refusal without the texts that may be reworded. */
const refusal = ({ status, body }: ApiAnswer) => ({ status, code: body?.code });
const paths = ({ body }: ApiAnswer): string[] => (body.field_issues ?? []).map(({ path }: { path: string }) => path);

/** The audit of the main API: one row per deviation that an outside tester found. */
describe('The main API', () => {
  let cloud: TestCloud;
  let number = 0;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { UPGRADE_COOLDOWN_SECONDS: '1' } });
  });
  afterAll(() => cloud.stop());

  const name = (): string => `row-${(number += 1)}`;
  const divide = async (more: object = {}): Promise<string> => {
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: name(), ...more });
    return `${cloud.tenant}/divisions/${body.id}`;
  };
  const order = (more: object = {}): Promise<ApiAnswer> =>
    cloud.main().post(`${cloud.environment}/deployments/managed`, { ...PAID, name: name(), ...more });
  const pathOf = (accepted: ApiAnswer): string =>
    `${cloud.environment}/deployments/${accepted.headers.get('ld-deployment')}`;
  const ended = (accepted: ApiAnswer): Promise<ApiAnswer> =>
    eventually(
      'the operation ends',
      async () => {
        const path = `${cloud.tenant}/operations/${accepted.headers.get('ld-operation')}?wait=20`;
        const answer = await cloud.main().get(path);
        return ['succeeded', 'failed', 'cancelled'].includes(answer.body.status) ? answer : null;
      },
      120_000,
    );
  let ready: Promise<string> | null = null;
  /** A deployment that serves. Rows that only change its terms and its size share it. */
  const served = (): Promise<string> =>
    (ready ??= order().then(async (accepted) => {
      await ended(accepted);
      return pathOf(accepted);
    }));
  const audited = async (type: string): Promise<any[]> =>
    (await cloud.main().get(`/audit${cloud.tenant}?types=${type}&results=20`)).body.items;
  /** A tenant with another plan, with the key of its owner. */
  const tenantOf = async (plan: 'basic' | 'pro' | 'enterprise'): Promise<TestCloud> =>
    given.cloudOf(cloud, await given.tenant(cloud, plan));

  describe('high', () => {
    row('H1', 'texts that are no Unicode are refused with 400, never 500 and never changed', async () => {
      const headers = { 'content-type': 'application/json' };
      const send = (path: string, raw: string | Buffer) =>
        cloud.main().call('POST', path, { raw: Buffer.from(raw), headers });
      const surrogate = await send(`${cloud.tenant}/divisions`, LONE_SURROGATE);
      const signIn = await cloud.main(null).call('POST', '/account/sign_in', {
        raw: Buffer.from('{"email":"x\\ud800@gmail.com","password":"yyyyyyyyyyyy"}'),
        headers,
      });
      const bytes = await send(`${cloud.tenant}/divisions`, Buffer.from('{"name":"\xff\xfe"}', 'latin1'));
      return {
        expected: [
          { status: 400, code: 'validation_failed' },
          { status: 400, code: 'validation_failed' },
          { status: 400, code: 'malformed_json' },
        ],
        got: [surrogate, signIn, bytes].map(refusal),
      };
    });

    row('H2', 'null of a member that may be null means left out, and is never a 500', async () => {
      const division = await cloud
        .main()
        .post(`${cloud.tenant}/divisions`, { name: name(), description: null, email: null });
      const environment = await cloud
        .main()
        .post(`${cloud.division}/environments`, { name: name(), description: null });
      const flag = await cloud.main().put(cloud.division, { protected: null });
      return {
        expected: [201, 201, { status: 400, code: 'validation_failed' }],
        got: [division.status, environment.status, refusal(flag)],
      };
    });

    row('H3', 'the subscription of a tenant is described as what it is', async () => {
      const document = (await cloud.main().get('/openapi.json')).body;
      const { $ref, allOf } = document.components.schemas.TenantView.properties.subscription;
      const schema = document.components.schemas[($ref ?? allOf[0].$ref).split('/').at(-1)];
      const { body } = await cloud.main().get(cloud.tenant);
      return {
        expected: Object.keys(body.subscription).sort(),
        got: Object.keys(schema.properties).sort(),
      };
    });
  });

  describe('medium', () => {
    row('M1', 'null is refused where the record has no null, the same on each route', async () => {
      const division = await divide();
      const answers = await Promise.all([
        cloud.main().put(cloud.tenant, { name: null }),
        cloud.main().put(division, { name: null }),
        cloud.main().put(cloud.environment, { name: null }),
      ]);
      return {
        expected: Array(3).fill([{ status: 400, code: 'validation_failed' }, ['/name']]),
        got: answers.map((answer) => [refusal(answer), paths(answer)]),
      };
    });

    row('M2', 'if-match is honoured by spend_limit, retention and subscriptions', async () => {
      const deployment = pathOf(await order());
      const channel = await cloud.main().post(`${cloud.tenant}/channels`, {
        channel: 'webhook',
        name: name(),
        destination: 'https://hooks.example.com/x',
      });
      const stale = { 'if-match': '"stale"' };
      const answers = await Promise.all([
        cloud.main().put(`${deployment}/spend_limit`, { spend_limit: 5 }, stale),
        cloud.main().put(`${deployment}/retention`, { retention: { telemetry_days: 3 } }, stale),
        cloud
          .main()
          .put(
            `${cloud.tenant}/channels/${channel.body.id}/subscriptions`,
            { subscriptions: [{ message_types: ['division_created'] }] },
            stale,
          ),
      ]);
      return {
        expected: Array(3).fill({ status: 412, code: 'precondition_failed' }),
        got: answers.map(refusal),
      };
    });

    row('M3', 'starter_available and the limits of tiers know the limit of all deployments', async () => {
      const basic = await tenantOf('basic');
      await cloud.rows(
        `update tenants set plan_overrides = '{"limits": {"concurrent_deployments_limit": 1}, "deployment_tiers": {"free": 5}}' where id = $1`,
        [basic.installation.tenant_id],
      );
      const starter = { cloud: 'aws', region: 'us-east-1' };
      const first = await basic.main().post(`${basic.division}/deployments/starter`, starter);
      const { body } = await basic.main().get(basic.tenant);
      const second = await basic.main().post(`${basic.division}/deployments/starter`, starter);
      const tiers = await basic.main().get(`${basic.tenant}/clouds/aws/regions/us-east-1/tiers`);
      const free = tiers.body.find(({ key }: { key: string }) => key === 'free');
      return {
        expected: { first: 202, starter_available: false, second: 'concurrent_deployments_limit', limit: 0 },
        got: {
          first: first.status,
          starter_available: body.starter_available,
          second: second.body.limit_name,
          limit: free.limit,
        },
      };
    });

    row('M4', 'a division with a protected environment needs a code, and its environments are told', async () => {
      const division = await divide();
      const guarded = await cloud.main().post(`${division}/environments`, { name: 'guarded', protected: true });
      const refused = await cloud.main().delete(division);
      await cloud.main().put(`${division}/environments/${guarded.body.id}`, { protected: false });
      const removed = await cloud.main().delete(division);
      const entries = await audited('environment_deleted');
      return {
        expected: [{ status: 400, code: 'protection_code_required' }, 204, 'guarded'],
        got: [refusal(refused), removed.status, entries[0]?.data.name],
      };
    });

    row(
      'M5',
      'audit and event of an upgrade name the managed tiers',
      async () => {
        const upgrade = await cloud.main().post(`${await served()}/upgrade`, { managed_tier: 'performance' });
        await ended(upgrade);
        const [entry] = await audited('deployment_upgraded');
        return {
          expected: { from_managed_tier: 'standard', to_managed_tier: 'performance' },
          got: { from_managed_tier: entry.data.from_managed_tier, to_managed_tier: entry.data.to_managed_tier },
        };
      },
      240_000,
    );

    row(
      'M6',
      'terms and shape change when the operation ends',
      async () => {
        const path = await served();
        const upgrade = await cloud.main().post(`${path}/upgrade`, { tier: 'medium' });
        const during = (await cloud.main().get(path)).body;
        await ended(upgrade);
        const after = (await cloud.main().get(path)).body;
        const seen = (body: any) => [
          body.status,
          body.tier,
          body.pending_upgrade?.tier ?? null,
          body.upgrades[0]?.to.tier,
          body.operation_id,
        ];
        return {
          expected: [
            [expect.stringMatching(/initialized|upgrading/), 'small', 'medium', 'small', upgrade.body.operation_id],
            ['initialized', 'medium', null, 'medium', null],
          ],
          got: [seen(during), seen(after)],
        };
      },
      300_000,
    );

    row('M7', 'three pending invitations are possible on Basic, and a fourth is not', async () => {
      const basic = await tenantOf('basic');
      const invite = () =>
        basic.main().post(`${basic.tenant}/invitations`, { email: `${name()}@people.example`, roles: [roleId] });
      const roles = (await basic.main().get(`${basic.tenant}/roles?results=100`)).body.items;
      const roleId = roles.find((role: { name: string }) => role.name === 'viewer').id;
      const statuses = [await invite(), await invite(), await invite(), await invite()].map(({ status }) => status);
      return { expected: [201, 201, 201, 409], got: statuses };
    });

    row('M8', 'a deployment without a public IP has no domain, and the audit names the domain of others', async () => {
      const closed = await order({ public_ip_enabled: false });
      const open = await order();
      const [list, detail, runtime] = await Promise.all([
        cloud.main().get(`${cloud.environment}/deployments`),
        cloud.main().get(pathOf(closed)),
        cloud.runtime().get(`/deployments/${closed.headers.get('ld-deployment')}`),
      ]);
      const listed = list.body.items.find(({ id }: { id: number }) => id === closed.body.deployment_id);
      const entries = await audited('deployment_created');
      const domainOf = (accepted: ApiAnswer) =>
        entries.find(({ deployment }) => deployment.id === accepted.body.deployment_id)?.data.domain;
      return {
        expected: [null, null, null, undefined, (await cloud.main().get(pathOf(open))).body.domain],
        got: [listed.domain, detail.body.domain, runtime.body.domain, domainOf(closed), domainOf(open)],
      };
    });
  });

  describe('low', () => {
    row('L1', 'a refusal at a limit names the usage and what was asked for', async () => {
      const basic = await tenantOf('basic');
      const key = {
        name: name(),
        role_id: (await basic.main().get(`${basic.tenant}/roles?results=100`)).body.items[0].id,
        expiry_at: new Date(Date.now() + 86_400_000).toISOString(),
        validate_ip: true,
        allowed_ips: Array.from({ length: 6 }, (_, index) => `10.0.0.${index}`),
      };
      const { limit, usage, requested } = (await basic.main().post(`${basic.tenant}/api_keys`, key)).body;
      return { expected: { limit: 5, usage: 0, requested: 6 }, got: { limit, usage, requested } };
    });

    row('L2', 'the reason of a field issue is a whole phrase', async () => {
      const role = { name: name(), permissions: { divisions: [1] } };
      const channel = await cloud.main().post(`${cloud.tenant}/channels`, {
        channel: 'webhook',
        name: name(),
        destination: 'https://hooks.example.com/x',
      });
      const subscription = { message_types: ['no_such'] };
      const answers = [
        await cloud.main().post(`${cloud.tenant}/roles`, role),
        await cloud.main().post(`${cloud.tenant}/channels/${channel.body.id}/subscriptions`, subscription),
      ];
      const reasons = answers.flatMap(({ body }) => body.field_issues.map(({ reason }: { reason: string }) => reason));
      return {
        expected: reasons.map(() => expect.stringMatching(/^(is|must|needs|contains|has|each entry) /)),
        got: reasons,
      };
    });

    row('L3', 'if-none-match compares weakly, HEAD has an etag, and the OpenAPI knows 304', async () => {
      const read = await cloud.main().get(cloud.tenant);
      const etag = read.headers.get('etag') ?? '';
      const weak = await cloud.main().get(cloud.tenant, { 'if-none-match': `W/${etag}` });
      const head = await cloud.main().call('HEAD', cloud.tenant);
      const document = (await cloud.main().get('/openapi.json')).body;
      return {
        expected: [304, etag, true],
        got: [weak.status, head.headers.get('etag'), '304' in document.paths['/tenants/{tenant_id}'].get.responses],
      };
    });

    row('L4', 'a path id that is no positive safe integer is 404', async () => {
      const answers = await Promise.all(
        ['%ff', '0', '-1', '1e3', '9007199254740992'].map((id) => cloud.main().get(`/tenants/${id}`)),
      );
      return { expected: answers.map(() => 404), got: answers.map(({ status }) => status) };
    });

    row('L5', 'ids up to 2^53 - 1 are ids in queries, too', async () => {
      const { status, body } = await cloud.main().get(`/audit${cloud.tenant}?user=9007199254740991`);
      return { expected: [200, []], got: [status, body.items] };
    });

    row('L6', 'the types of the audit and of notifications need the permission of their lists', async () => {
      const key = await given.key(cloud, { permissions: { tenant: ['info:read'] } });
      const answers = await Promise.all(
        ['/audit/types', '/notifications/types'].map((path) => cloud.main(key).get(path)),
      );
      return { expected: [403, 403], got: answers.map(({ status }) => status) };
    });

    row(
      'L7',
      'each 202 has a location',
      async () => {
        const path = await served();
        const upgrade = await cloud.main().post(`${path}/upgrade`, { storage: { size: 120 } });
        await ended(upgrade);
        const connector = { connector_key: 'random', connector_type: 'source' };
        const activated = await cloud.main().post(`${path}/connectors/activate`, connector);
        const deleted = await cloud.main().delete(path);
        const locations = [upgrade, activated, deleted].map(({ headers }) => headers.get('location'));
        return { expected: locations.map(() => expect.stringMatching(/./)), got: locations };
      },
      240_000,
    );

    row('L8', 'usage is paged newest first, and a page past the end links to the last page', async () => {
      const { headers } = await cloud.main().get(`${cloud.tenant}/divisions?page=99`);
      const previous = /<([^>]*)>; rel="prev"/.exec(headers.get('link') ?? '')?.[1] ?? '';
      const from = new Date(Date.now() - 86_400_000).toISOString();
      const usage = await cloud.main().get(`${cloud.tenant}/billing/usage?from=${from}&results=100`);
      const ids = (usage.body.items ?? []).map(({ deployment }: { deployment: { id: number } }) => deployment.id);
      return {
        expected: { page: '1', order: [...ids].sort((a, b) => b - a) },
        got: { page: new URL(previous, 'http://x').searchParams.get('page'), order: ids },
      };
    });

    row('L9', 'an expired key is not rotated', async () => {
      const secret = await given.key(cloud, { expired: true });
      const [key] = await cloud.rows<{ id: number }>('select id from api_keys order by id desc limit 1');
      const answer = await cloud.main().post(`${cloud.tenant}/api_keys/${key?.id}/rotate`);
      return {
        expected: [{ status: 409, code: 'state_conflict' }, false],
        got: [refusal(answer), JSON.stringify(answer.body).includes(secret)],
      };
    });

    row('L10', 'a VPC network that has no room for a subnet is refused', async () => {
      const { body: setup } = await cloud.main().post(`${cloud.environment}/deployments/byoc/setup`, {
        cloud: 'aws',
        region: 'us-east-1',
      });
      const aws = {
        ...{ account_id: '123456789012', identity_arn: 'arn:aws:iam::123456789012:role/landlord' },
        ...{ external_id: setup.external_id, vpc_id: 'vpc-0123456789abcdef0', vpc_cidr: '10.0.0.0/30' },
      };
      const { tier, cluster } = PAID;
      const answer = await cloud.main().post(`${cloud.environment}/deployments/byoc`, {
        ...{ name: name(), cloud: 'aws', region: 'us-east-1', tier, cluster, aws },
      });
      return {
        expected: [{ status: 400, code: 'validation_failed' }, ['/aws/vpc_cidr']],
        got: [refusal(answer), paths(answer)],
      };
    });

    row('L11', 'the audit of created divisions and environments tells whether they are protected', async () => {
      const division = await divide({ protected: true });
      await cloud.main().post(`${division}/environments`, { name: name(), protected: true });
      const [[divided], [environment]] = await Promise.all([
        audited('division_created'),
        audited('environment_created'),
      ]);
      return { expected: [true, true], got: [divided.data.protected, environment.data.protected] };
    });

    row('L12', 'a POST with another JSON media type is refused', async () => {
      const raw = Buffer.from(JSON.stringify({ name: name() }));
      const headers = { 'content-type': 'application/merge-patch+json' };
      const answer = await cloud.main().call('POST', `${cloud.tenant}/divisions`, { raw, headers });
      return { expected: { status: 415, code: 'unsupported_media_type' }, got: refusal(answer) };
    });

    row('L13', 'subscription:read guards the read of the plan', async () => {
      const without = await given.key(cloud, { permissions: { tenant: ['info:read'] } });
      const holding = await given.key(cloud, { permissions: { tenant: ['subscription:read'] } });
      const path = `${cloud.tenant}/subscription`;
      const [refused, read] = [await cloud.main(without).get(path), await cloud.main(holding).get(path)];
      return {
        expected: [{ status: 403, code: 'insufficient_permissions' }, 'enterprise'],
        got: [refusal(refused), read.body.plan],
      };
    });
  });
});
