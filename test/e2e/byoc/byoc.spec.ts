import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MISSING_PERMISSIONS_FILE } from '@libs/cloud';
import { given, type ApiAnswer } from '@libs/testing';
import { World } from '../matrix/world.js';

const AWS = { cloud: 'aws', region: 'eu-central-1' };
const GCP = { cloud: 'gcp', region: 'us-central1' };
const PROJECT = {
  project_id: 'my-project',
  service_account_email: 'landlord-byoc@my-project.iam.gserviceaccount.com',
  vpc_name: 'default',
};

interface OwnOrder {
  aws?: (() => object) | undefined;
  gcp?: () => object;
}

/** Requests and refusals only; no node is started here (byoc-deployment.proof.ts starts nodes). */
describe('Deployments in accounts of customers', () => {
  let world: World;
  let base: string;
  let externalId: string;
  beforeAll(async () => {
    world = await World.start();
    base = `${world.cloud.environment}/deployments/byoc`;
    externalId = (await setup()).body.external_id;
  });
  afterAll(() => world.stop());

  const setup = (place: object = AWS): Promise<ApiAnswer> => world.cloud.main().post(`${base}/setup`, place);
  const account = (over: object = {}) => ({
    account_id: '111122223333',
    identity_arn: 'arn:aws:iam::111122223333:role/landlord',
    external_id: externalId,
    vpc_id: 'vpc-0123456789abcdef0',
    ...over,
  });
  let accounts = 0;
  /** An account that no other test saves or validates. */
  const newAccountId = (): string => {
    accounts += 1;
    return String(222_200_000_000 + accounts);
  };
  const accountOf = (account_id: string) =>
    account({ account_id, identity_arn: `arn:aws:iam::${account_id}:role/landlord` });
  /** The default of BYOC_AWS_ACCOUNT_ID. */
  const ownAccount = () => accountOf('000000000000');
  /** With `landlord`, the default of BYOC_GCP_SERVICE_ACCOUNT. */
  const ownProject = (name: string) => ({
    ...PROJECT,
    service_account_email: `${name}@landlord-local.iam.gserviceaccount.com`,
  });
  const order = (over: object = {}) => ({
    name: world.name(),
    ...AWS,
    tier: 'small',
    cluster: 'cluster',
    aws: account(),
    ...over,
  });
  const create = (over: object = {}): Promise<ApiAnswer> => world.cloud.main().post(base, order(over));
  const validate = (body: object): Promise<ApiAnswer> =>
    world.cloud.runtime().post(`${world.cloud.environment}/byoc/validate`, body);
  const paths = ({ body }: ApiAnswer): string[] => body.field_issues.map(({ path }: { path: string }) => path).sort();
  const made = async (): Promise<number> =>
    (await world.cloud.rows(`select 1 from deployments where variant = 'byoc'`)).length;

  describe('are prepared', () => {
    it('on AWS with two policies that IAM accepts, limited to one region and to tagged resources', async () => {
      const { status, body } = await setup();

      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(['external_id', 'permissions_policy', 'service_org_id', 'trust_policy']);
      expect(body.service_org_id).toBe('000000000000');
      expect(body.trust_policy).toEqual({
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'LandlordAssumesThisRole',
            Effect: 'Allow',
            Principal: { AWS: 'arn:aws:iam::000000000000:root' },
            Action: 'sts:AssumeRole',
            Condition: { StringEquals: { 'sts:ExternalId': body.external_id } },
          },
        ],
      });
      const { Version, Statement } = body.permissions_policy;
      expect(Version).toBe('2012-10-17');
      for (const statement of Statement) {
        expect(statement).toMatchObject({ Effect: 'Allow', Sid: expect.stringMatching(/^[A-Za-z0-9]+$/) });
        for (const action of [statement.Action].flat())
          expect(action).toMatch(/^(ec2|elasticloadbalancing|tag|iam):\w+$/);
        // A statement that allows changes names an AWS region, a tag, or both.
        if (statement.Resource === '*') expect(JSON.stringify(statement.Condition)).toContain('eu-central-1');
        else expect(JSON.stringify([statement.Resource, statement.Condition])).toMatch(/:eu-central-1:|AWSServiceName/);
      }
      expect(new Set(Statement.map(({ Sid }: { Sid: string }) => Sid)).size).toBe(Statement.length);
      // The maximum size of a managed policy in IAM.
      expect(JSON.stringify(body.permissions_policy).length).toBeLessThan(6144);
    });

    it('on GCP with commands that create a service account with two roles', async () => {
      const { status, body } = await setup(GCP);

      expect(status).toBe(200);
      expect(body).toMatchObject({
        service_account_email: 'landlord@landlord-local.iam.gserviceaccount.com',
        external_id: externalId,
        roles: [
          { role: 'landlordByocNodes', condition: expect.stringContaining('/zones/us-central1-') },
          { role: 'landlordByocNetwork', condition: null },
        ],
      });
      const commands = body.steps.map(({ command }: { command: string }) => command);
      expect(commands.slice(1).every((command: string) => command.startsWith('gcloud '))).toBe(true);
      expect(commands.join('\n')).toContain(externalId);
      for (const { role, permissions } of body.roles)
        expect(commands.find((command: string) => command.includes(`roles create ${role} `))).toContain(
          permissions.join(','),
        );
    });

    it('with an external id that is constant for a tenant and different for each tenant', async () => {
      const { tenantId, divisionId, environmentId } = await given.tenant(world.cloud, 'pro');
      const other = world.cloud.main(await given.key(world.cloud, { tenantId }));
      const theirs = await other.post(
        `/tenants/${tenantId}/divisions/${divisionId}/environments/${environmentId}/deployments/byoc/setup`,
        AWS,
      );

      expect((await setup({ cloud: 'aws', region: 'us-east-1' })).body.external_id).toBe(externalId);
      expect(theirs.body.external_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(theirs.body.external_id).not.toBe(externalId);
    });

    it.each([
      [{ cloud: 'azure', region: 'x' }, ['/cloud']],
      [{ cloud: 'aws', region: 'us-central1' }, ['/region']],
      [{ cloud: 'aws' }, ['/region']],
      [{ ...AWS, tier: 'small' }, ['/tier']],
    ])('refusing %j', async (place, wanted) => {
      const answer = await setup(place);

      expect(answer).toBeProblem('validation_failed');
      expect(paths(answer)).toEqual(wanted);
    });
  });

  it('have accounts that show the time of validation, until the account or the settings change', async () => {
    const saved = `${world.cloud.tenant}/cloud_accounts`;
    const { account_id, ...role } = accountOf(newAccountId());
    const settings = { aws: { ...role, vpc_cidr: '10.20.0.0/16' } };
    const { body } = await world.cloud.main().post(saved, { cloud: 'aws', name: 'Proven', account_id, settings });
    const own = `${saved}/${body.id}`;
    const validated = async (): Promise<string | null> =>
      (await world.cloud.main().get(`${saved}?name=proven`)).body.items[0].validated_at;
    const isValid = async () => (await validate({ ...AWS, ...accountOf(account_id) })).body;
    expect(await validated()).toBeNull();

    expect(await isValid()).toEqual({ valid: true, missing_permissions: [] });
    const first = await validated();
    await world.cloud.main().put(own, { remarks: 'still' });
    expect(first).toEqual(expect.any(String));
    expect(await validated()).toBe(first);

    await world.cloud.main().put(own, { settings: null });
    expect(await validated()).toBeNull();
    await isValid();
    expect(await validated()).toEqual(expect.any(String));
    await world.cloud.main().put(own, { account_id: newAccountId() });
    expect(await validated()).toBeNull();
    expect((await world.cloud.main().delete(own)).status).toBe(204);
  });

  describe('are ordered', () => {
    it('with the shape and the account, which is stored sealed', async () => {
      const accepted = await create({ name: 'theirs', aws: account({ vpc_cidr: '10.20.0.0/16' }) });

      const id = accepted.headers.get('ld-deployment');
      expect(accepted.status).toBe(202);
      expect(accepted.headers.get('ld-environment')).toBe(String(world.cloud.installation.environment_id));
      expect(accepted.headers.get('ld-operation')).toMatch(/^\d+$/);
      const location = `${world.cloud.environment}/deployments/${id}`;
      expect(accepted.headers.get('location')).toBe(location);
      const { body } = await world.cloud.main().get(location);
      expect(body).toMatchObject({
        ...{ name: 'theirs', variant: 'byoc', cloud: 'aws', area: 'eu', tier: 'small', cluster: 'cluster' },
        ...{ nodes_count: 3, storage: { type: 'network_balanced', size: 100 }, retention: { telemetry_days: 7 } },
        ...{ spend_limit: null, cloud_account_id: null },
      });
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['managed_tier']));
      const [row] = await world.cloud.rows<any>(
        'select a.*, d.monthly_compute, d.monthly_storage from deployment_accounts a join deployments d on d.id = a.deployment_id where d.id = $1',
        [id],
      );
      expect(row).toMatchObject({
        account_id: '111122223333',
        vpc_id: 'vpc-0123456789abcdef0',
        vpc_cidr: '10.20.0.0/16',
        monthly_compute: '0.00',
      });
      expect(row.access).toMatch(/^k1\./);
      const traces = await world.cloud.rows('select data from audit_entries');
      expect(JSON.stringify([traces, world.cloud.mainApi.log()])).not.toContain('role/landlord');
    });

    it('on GCP, on Local NVMe, and as one Free node', async () => {
      const answers = [
        await create({ ...GCP, aws: undefined, gcp: PROJECT }),
        await create({ storage: { type: 'local_ssd' } }),
        await create({ tier: 'free', cluster: 'standalone' }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    });

    it('and appear in the structure and the summary of the tenant', async () => {
      const accepted = await create();
      const id = Number(accepted.headers.get('ld-deployment'));

      const structure = await world.cloud.main().get(`${world.cloud.tenant}/structure`);
      const summary = await world.cloud.main().get(`${world.cloud.tenant}/summary`);
      const list = await world.cloud.main().get(`${world.cloud.environment}/deployments`);

      const all = structure.body.divisions.flatMap((division: any) =>
        division.environments.flatMap(({ deployments }: any) => deployments),
      );
      expect(all).toContainEqual(expect.objectContaining({ id, variant: 'byoc' }));
      expect(summary.body.by_variant.byoc).toBeGreaterThan(0);
      expect(list.body.items[0]).toMatchObject({ id, variant: 'byoc' });
    });

    it.each([
      ['no account', { aws: undefined }, ['/aws']],
      ['an unknown cloud', { cloud: 'azure', region: 'x' }, ['/cloud']],
      ['the account of the other cloud', { aws: undefined, gcp: PROJECT }, ['/aws', '/gcp']],
      ['two accounts', { gcp: PROJECT }, ['/gcp']],
      ['an account that is a text', { aws: '111122223333' }, ['/aws']],
      [
        'an account without anything',
        { aws: {} },
        ['/aws/account_id', '/aws/external_id', '/aws/identity_arn', '/aws/vpc_id'],
      ],
      [
        'a project in which all is wrong',
        {
          ...GCP,
          aws: undefined,
          gcp: { project_id: 'X', service_account_email: 'me@gmail.com', vpc_name: 'A', x: 1 },
        },
        ['/gcp/project_id', '/gcp/service_account_email', '/gcp/vpc_name', '/gcp/x'],
      ],
      [
        'commercial terms',
        {
          managed_tier: 'standard',
          network_scope: 'same_region',
          retention: { telemetry_days: 3 },
          spend_limit: 5,
          availability_mode: 'multi_az',
          target_network_tput: 100,
        },
        [
          ...['/availability_mode', '/managed_tier', '/network_scope', '/retention', '/spend_limit'],
          '/target_network_tput',
        ],
      ],
    ])('refusing %s', async (_, over, wanted) => {
      const before = await made();
      const answer = await create(over);

      expect(answer).toBeProblem('validation_failed', { status: 400 });
      expect(paths(answer)).toEqual(wanted);
      expect(await made()).toBe(before);
    });

    it('refusing the external id of another tenant, a role of another account and a network with host bits', async () => {
      const foreign = await create({ aws: account({ external_id: 'c0ffee00-0000-4000-8000-000000000000' }) });
      const elsewhere = await create({ aws: account({ identity_arn: 'arn:aws:iam::999999999999:role/x' }) });
      const cidr = await create({ aws: account({ vpc_cidr: '10.0.0.1/16' }) });

      expect([foreign, elsewhere, cidr].map(paths)).toEqual([
        ['/aws/external_id'],
        ['/aws/identity_arn'],
        ['/aws/vpc_cidr'],
      ]);
    });

    it.each([
      ['AWS', { aws: ownAccount }, ['/aws/account_id']],
      ['GCP', { ...GCP, aws: undefined, gcp: () => ownProject('landlord') }, ['/gcp/service_account_email']],
      ['GCP in capitals', { ...GCP, aws: undefined, gcp: () => ownProject('LANDLORD') }, null],
    ])('refusing the account of the operator at %s', async (_, { aws, gcp, ...more }: OwnOrder, wanted) => {
      const before = await made();

      const answer = await create({ ...more, aws: aws?.(), gcp: gcp?.() });

      expect(answer).toBeProblem('validation_failed', { status: 400 });
      if (wanted) expect(paths(answer)).toEqual(wanted);
      expect(await made()).toBe(before);
    });

    it('only in a plan that includes them, regardless of its limits', async () => {
      const { tenantId, divisionId, environmentId } = await given.tenant(world.cloud, 'basic');
      const key = await given.key(world.cloud, { tenantId });
      const environment = `/tenants/${tenantId}/divisions/${divisionId}/environments/${environmentId}`;
      const [row] = await world.cloud.rows<any>('select external_id from tenants where id = $1', [tenantId]);
      const aws = account({ external_id: row.external_id });

      const answers = [
        await world.cloud.main(key).post(`${environment}/deployments/byoc/setup`, AWS),
        await world.cloud.main(key).post(`${environment}/deployments/byoc`, order({ tier: '16xlarge', aws })),
        await world.cloud.runtime(key).post(`${environment}/byoc/validate`, { ...AWS, ...aws }),
      ];

      for (const answer of answers) expect(answer).toBeProblem('plan_feature_required', { feature: 'byoc_enabled' });
    });

    it('without a payment method, within the limits of the plan', async () => {
      const { tenantId, divisionId, environmentId } = await given.tenant(world.cloud, 'pro');
      const api = world.cloud.main(await given.key(world.cloud, { tenantId }));
      const path = `/tenants/${tenantId}/divisions/${divisionId}/environments/${environmentId}/deployments/byoc`;
      const { external_id } = (await api.post(`${path}/setup`, AWS)).body;
      const ask = () => api.post(path, order({ tier: 'xlarge', aws: account({ external_id }) }));

      const answers = await Promise.all([ask(), ask(), ask()]);

      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
      expect(answers.find(({ status }) => status === 409)).toBeProblem('plan_limit_reached', {
        ...{ limit_name: 'deployment_tiers', tier: 'xlarge', limit: 1 },
      });
    });
  });

  describe('and saved cloud accounts:', () => {
    const save = async (account_id: string): Promise<number> => {
      const body = { cloud: 'aws', name: world.name(), account_id };
      return (await world.cloud.main().post(`${world.cloud.tenant}/cloud_accounts`, body)).body.id;
    };
    const put = (id: number, body: object) =>
      world.cloud.main().put(`${world.cloud.tenant}/cloud_accounts/${id}`, body);
    const into = (account_id: string) => create({ aws: accountOf(account_id) });

    it('an active account is linked until it is deleted', async () => {
      const account_id = newAccountId();
      const id = await save(account_id);
      const accepted = await into(account_id);
      const path = accepted.headers.get('location') ?? '';

      expect((await world.cloud.main().get(path)).body.cloud_account_id).toBe(id);
      expect((await world.cloud.main().delete(`${world.cloud.tenant}/cloud_accounts/${id}`)).status).toBe(204);
      expect((await world.cloud.main().get(path)).body).toMatchObject({ variant: 'byoc', cloud_account_id: null });
    });

    it.each(['inactive', 'locked', 'deleted'])('an account that is %s accepts no deployment', async (state) => {
      const account_id = newAccountId();
      const id = await save(account_id);
      await put(id, { status: state });
      const before = await made();

      expect(await into(account_id)).toBeProblem('state_conflict', { status: 409, state });
      expect(await made()).toBe(before);
      await put(id, { status: 'active' });
      expect((await into(account_id)).status).toBe(202);
    });

    it('an account of another tenant or cloud has no effect', async () => {
      const { tenantId } = await given.tenant(world.cloud);
      const theirs = world.cloud.main(await given.key(world.cloud, { tenantId }));
      const saved = { cloud: 'aws', name: 'theirs', account_id: newAccountId() };
      const { body } = await theirs.post(`/tenants/${tenantId}/cloud_accounts`, saved);
      await theirs.put(`/tenants/${tenantId}/cloud_accounts/${body.id}`, { status: 'locked' });

      const accepted = await into(saved.account_id);

      expect(accepted.status).toBe(202);
      expect((await world.cloud.main().get(accepted.headers.get('location') ?? '')).body.cloud_account_id).toBeNull();
    });
  });

  describe('are validated', () => {
    it('when all members are well-formed and consistent', async () => {
      expect((await validate({ ...AWS, ...account() })).body).toEqual({ valid: true, missing_permissions: [] });
      expect((await validate({ ...GCP, ...PROJECT })).body).toEqual({ valid: true, missing_permissions: [] });
    });

    it.each([
      ['an account of eleven digits', { account_id: '11112222333' }, 'account_id must be'],
      ['a user instead of a role', { identity_arn: 'arn:aws:iam::111122223333:user/x' }, 'identity_arn must be'],
      ['a role of another account', { identity_arn: 'arn:aws:iam::999999999999:role/x' }, 'of account 999999999999'],
      ['another VPC id', { vpc_id: 'vpc-1' }, 'vpc_id must be'],
      ['the external id of another', { external_id: 'other' }, 'external_id differs'],
    ])('and reported as invalid: %s', async (_, over, error) => {
      const { status, body } = await validate({ ...AWS, ...account(over) });

      expect(status).toBe(200);
      expect(body).toEqual({ valid: false, error: expect.stringContaining(error), missing_permissions: [] });
    });

    it.each([
      ['AWS', { ...AWS }, () => ownAccount(), 'is the account of the operator'],
      ['GCP', { ...GCP }, () => ownProject('landlord'), 'is the service account of the operator'],
    ])('and reported as invalid: the account of the operator at %s', async (_, place, own, error) => {
      const { status, body } = await validate({ ...place, ...own() });

      expect(status).toBe(200);
      expect(body).toEqual({ valid: false, error: expect.stringContaining(error), missing_permissions: [] });
    });

    it('with the missing permissions that the operator lists, and nothing else changes', async () => {
      const file = join(world.cloud.directory, MISSING_PERMISSIONS_FILE);
      const saved = { cloud: 'aws', name: world.name(), account_id: newAccountId() };
      await writeFile(file, JSON.stringify({ [saved.account_id]: ['ec2:RunInstances', 'ec2:CreateTags'] }));
      await world.cloud.main().post(`${world.cloud.tenant}/cloud_accounts`, saved);

      const answer = await validate({ ...AWS, ...accountOf(saved.account_id) });
      await writeFile(file, 'not JSON');
      const broken = await validate({ ...AWS, ...accountOf(saved.account_id) });
      await rm(file);

      expect(answer.body).toEqual({
        valid: false,
        error: expect.any(String),
        missing_permissions: ['ec2:RunInstances', 'ec2:CreateTags'],
      });
      expect(broken).toBeProblem('provider_unavailable', { status: 503 });
      const list = await world.cloud.main().get(`${world.cloud.tenant}/cloud_accounts?name=${saved.name}`);
      expect(list.body.items[0].validated_at).toBeNull();
    });

    it('once per idempotency key, also for refusals', async () => {
      const key = { 'idempotency-key': world.name() };
      const path = `${world.cloud.environment}/byoc/validate`;
      const wrong = { ...AWS, ...account(), region: 'mars-1' };

      const first = await world.cloud.runtime().post(path, wrong, key);
      const again = await world.cloud.runtime().post(path, wrong, key);
      const other = await world.cloud.runtime().post(path, { ...AWS, ...account() }, key);

      expect(first).toBeProblem('validation_failed');
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(other).toBeProblem('idempotency_error', { status: 409 });
    });

    it.each([
      ['nothing', {}, ['/cloud', '/region']],
      [
        'an unknown region',
        { ...AWS, region: 'mars-1', ...PROJECT },
        ['/project_id', '/service_account_email', '/vpc_name'],
      ],
      ['no account', AWS, ['/account_id', '/external_id', '/identity_arn', '/vpc_id']],
      ['a number for a project', { ...GCP, ...PROJECT, project_id: 5 }, ['/project_id']],
    ])('refusing %s', async (_, body, wanted) => {
      const answer = await validate(body);

      expect(answer).toBeProblem('validation_failed', { status: 400 });
      expect(paths(answer)).toEqual(expect.arrayContaining(wanted));
    });
  });
});
