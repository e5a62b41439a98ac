import { jest } from '@jest/globals';
import { describeOne, placeAccount, type CustomerAccount } from '@libs/cloud';
import { OPERATOR_TOKEN, stopClock } from '@libs/testing';
import {
  at,
  GcpBench,
  INSTALLATION,
  OWN_PROJECT,
  REGION,
  THEIR_ACCOUNT,
  THEIR_PROJECT,
} from '../../../test/gcp-bench.fixture.js';

const EXTERNAL_ID = '7d6a1f36-5b0c-4d3c-8a55-5e5c1c9f2b11';
const TAGS = { installation: INSTALLATION, deployment_id: 7 };
const [ONE, TWO] = [placeAccount(THEIR_PROJECT, 7), placeAccount(THEIR_PROJECT, 8)];

describe('the driver gcp in the project of a customer, on the fake of Compute Engine', () => {
  let bench: GcpBench;
  /** Whose token each call in each project had. Null: the operator's own. Undefined: nobody's. */
  let callers: { project: string; owner: string | null | undefined }[];
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.empty({ operationMs: 0 });
    await bench.addNetwork(THEIR_PROJECT, 'theirs');
    const { google, compute } = bench;
    google.accounts.set(THEIR_ACCOUNT, {
      ...{ description: `For Landlord landlord-external-id=${EXTERNAL_ID}`, isTrusted: true, lacks: [] },
    });
    bench.given.set(ONE, { service_account_email: THEIR_ACCOUNT, external_id: EXTERNAL_ID });
    compute.requests.length = 0;
    callers = [];
    compute.authorize = (token, project) => {
      const owner = google.ownerOf(token);
      callers.push({ project, owner });
      const mayWork = project === THEIR_PROJECT ? typeof owner === 'string' : owner === null;
      return mayWork ? [] : ['compute.networks.get'];
    };
  });
  afterEach(() => expect(bench.compute.faults).toEqual([]));

  const account = (over: object = {}): CustomerAccount => ({
    ...{ cloud: 'gcp', region: REGION, project_id: THEIR_PROJECT, service_account_email: THEIR_ACCOUNT },
    ...{ external_id: EXTERNAL_ID, vpc_name: 'theirs', ...over },
  });
  const verdict = (over?: object) => bench.driver().validateAccount(account(over));
  const changes = () => bench.compute.requests.filter(({ id }) => !/\.(get|list|aggregatedList)$/i.test(id));
  const customer = (change: object): void => {
    bench.google.accounts.set(THEIR_ACCOUNT, { ...bench.google.accounts.get(THEIR_ACCOUNT)!, ...change });
  };

  describe('validates', () => {
    it('a right account, says what it did not ask, and changes nothing', async () => {
      expect(await verdict()).toEqual({
        ...{ error: null, missing_permissions: [] },
        not_checked: ['iam.serviceAccounts.actAs: no instance of Landlord has a service account'],
      });
      expect(changes()).toEqual([]);
      expect(callers.length).toBeGreaterThan(0);
      expect(callers.every(({ project, owner }) => project === THEIR_PROJECT && owner === THEIR_ACCOUNT)).toBe(true);
    });

    it.each(['compute.instances.create', 'compute.disks.resize', 'compute.regions.get', 'compute.networks.get'])(
      'an account without %s, and names the permission',
      async (permission) => {
        customer({ lacks: [permission] });

        expect(await verdict()).toMatchObject({ error: null, missing_permissions: [permission] });
      },
    );

    it.each([
      ['the external id of another tenant', { external_id: 'another' }, /does not hold the external id/],
      ['the beginning of the external id', { external_id: EXTERNAL_ID.slice(0, 8) }, /does not hold the external id/],
      [
        'a service account that does not exist',
        { service_account_email: THEIR_ACCOUNT.replace('byoc', 'none') },
        /It does not exist, or it does not trust/,
      ],
      ['a network that does not exist', { vpc_name: 'nowhere' }, /^the project their-project has no network nowhere$/],
      ['a region that does not exist', { region: 'us-nowhere9' }, /^Google Cloud has no region us-nowhere9$/],
      ['a misspelled network', { vpc_name: 'My VPC' }, /^vpc_name must be/],
      ['a misspelled project', { project_id: 'UPPER' }, /^project_id must be/],
      ['an address that is none of a service account', { service_account_email: 'me@example.com' }, /must be the addr/],
    ])('%s, and refuses with a plain sentence', async (_what, over, sentence) => {
      const { error, missing_permissions } = await verdict(over);

      expect(error).toMatch(sentence);
      expect(missing_permissions).toEqual([]);
      expect(changes()).toEqual([]);
    });

    it('a service account that does not trust Landlord, and names no account in the refusal', async () => {
      customer({ isTrusted: false });

      const { error } = await verdict();
      expect(error).toMatch(/Google does not let Landlord act as the service account/);
      expect(error).not.toContain('@');
    });

    it('a project that does not exist', async () => {
      // The service account can be one of another project of the customer.
      bench.compute.authorize = null;

      const { error } = await verdict({ project_id: 'no-such-project' });

      expect(error).toMatch(/the project does not exist, or the account may not see the project$/);
    });

    it.each([
      [
        'a project that the service account may not see',
        { status: 403, reason: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
        /^Google Cloud has no project their-project, or the service account has no role in the project$/,
      ],
      [
        'a project without the API for permissions',
        { status: 403, reason: 'SERVICE_DISABLED', message: 'Enable it by visiting https://console.example/cloudrm' },
        /https:\/\/console\.example\/cloudrm/,
      ],
    ])('%s, and says so', async (_what, refusal, sentence) => {
      bench.google.closed.set(THEIR_PROJECT, refusal);

      expect(await verdict()).toEqual({ error: expect.stringMatching(sentence), missing_permissions: [] });
      expect(bench.compute.requests).toEqual([]);
    });

    it('a project without the API of Compute Engine, and has the link that enables the API', async () => {
      bench.compute.disableApi(THEIR_PROJECT);

      expect((await verdict()).error).toMatch(
        /https:\/\/console\.developers\.google\.com\/apis\/api\/compute\.googleapis\.com\/overview\?project=their-project/,
      );
    });

    it('a full quota, and names the quota with its use', async () => {
      bench.compute.quota('cpus', 1);

      expect((await verdict()).error).toBe(`the project their-project uses 0 of 1 of the quota CPUS in ${REGION}`);
    });

    it('after an outage: an answer that is none is no verdict about the account', async () => {
      bench.compute.refuseNext('compute.networks.get', 503, 'backendError');
      await expect(verdict()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
      bench.compute.throttle(1);
      await expect(verdict()).rejects.toMatchObject({ refusal: { code: 'throttled' } });

      expect((await verdict()).error).toBeNull();
    });

    it('until its signal, and stops with the reason of the signal', async () => {
      const reason = new DOMException('too late', 'TimeoutError');

      await expect(bench.driver().validateAccount(account(), AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });

  describe('works', () => {
    const firewall = { network: 'net', ingress: [] };
    const network = { region: REGION, cidr: '10.1.7.0/24', zones: ['a'], layout: { vpc_id: 'theirs', range: 'given' } };
    const ensureNetwork = async (cloud = bench.driver(), place = ONE) => {
      for (let calls = 0; calls < 3; calls += 1)
        await cloud.ensure('network', at('net', place), network as never, TAGS);
      return describeOne(cloud, 'network', at('net', place));
    };

    it('with one token for many calls, and never with the token of the operator', async () => {
      const cloud = bench.driver();
      expect(await ensureNetwork(cloud)).toMatchObject({ state: 'active' });
      await cloud.ensure('firewall', at('firewall', ONE), firewall, TAGS);

      expect(bench.google.asked).toEqual([THEIR_ACCOUNT]);
      expect(new Set(callers.map(({ project, owner }) => `${project} ${owner}`))).toEqual(
        new Set([`${THEIR_PROJECT} ${THEIR_ACCOUNT}`]),
      );
      expect(callers.length).toBeGreaterThan(3);
    });

    it('asks for one token when several calls begin at once', async () => {
      const cloud = bench.driver();
      const looks = [1, 2, 3, 4].map(() => cloud.inventory(at('', ONE).at, { installation: INSTALLATION }, null));
      await Promise.all(looks);

      expect(bench.google.asked).toEqual([THEIR_ACCOUNT]);
    });

    it('with another token after Google has refused the first one', async () => {
      const cloud = bench.driver();
      const look = () => cloud.inventory(at('', ONE).at, { installation: INSTALLATION }, null);
      await look();
      const allow = bench.compute.authorize;
      bench.compute.authorize = () => ['compute.subnetworks.list'];
      await expect(look()).rejects.toMatchObject({
        refusal: { code: 'denied', actions: ['compute.subnetworks.list'] },
      });
      bench.compute.authorize = allow;

      await look();

      expect(bench.google.asked).toEqual([THEIR_ACCOUNT, THEIR_ACCOUNT]);
    });

    it('asks again ten seconds after the service account was refused, and not before', async () => {
      const cloud = bench.driver();
      const look = () => cloud.inventory(at('', ONE).at, { installation: INSTALLATION }, null);
      customer({ isTrusted: false });
      const refusal = { code: 'denied', actions: ['iam.serviceAccounts.getAccessToken'] };
      await expect(look()).rejects.toMatchObject({ refusal });
      customer({ isTrusted: true });
      await expect(look()).rejects.toMatchObject({ refusal });

      stopClock(Date.now() + 11_000);
      await look().finally(() => jest.useRealTimers());
    });

    it.each(['deleted', 'not trusted'])(
      'only with access, and counts no resource as missing while the service account is %s',
      async (how) => {
        const cloud = bench.driver();
        await ensureNetwork(cloud);
        const look = () => describeOne(cloud, 'network', at('net', ONE));
        const given = bench.google.accounts.get(THEIR_ACCOUNT);
        if (how === 'deleted') bench.google.accounts.delete(THEIR_ACCOUNT);
        else customer({ isTrusted: false });
        bench.compute.authorize = () => ['compute.networks.get'];

        for (let looks = 0; looks < 3; looks += 1)
          await expect(look()).rejects.toMatchObject({ refusal: { code: 'denied' } });
        await expect(cloud.destroy('network', at('net', ONE))).rejects.toMatchObject({ refusal: { code: 'denied' } });

        if (given) bench.google.accounts.set(THEIR_ACCOUNT, { ...given, isTrusted: true });
        bench.compute.authorize = null;
        stopClock(Date.now() + 11_000);
        expect(await look().finally(() => jest.useRealTimers())).toMatchObject({ state: 'active' });
      },
    );

    it('never for another tenant, who names the same project', async () => {
      const cloud = bench.driver();
      await ensureNetwork(cloud);
      callers = [];
      const look = () => cloud.inventory(at('', TWO).at, { installation: INSTALLATION }, null);

      await expect(look()).rejects.toMatchObject({
        refusal: { code: 'denied' },
        message: 'no deployment of the organization gives Landlord a service account for the project in this region',
      });
      bench.given.set(TWO, { service_account_email: THEIR_ACCOUNT, external_id: 'of-the-second-tenant' });
      stopClock(Date.now() + 11_000);
      await expect(look().finally(() => jest.useRealTimers())).rejects.toMatchObject({
        refusal: { code: 'denied' },
        message: expect.stringContaining('does not hold the external id'),
      });
      expect(callers).toEqual([]);
    });

    it.each([
      ['a full quota', 'compute.subnetworks.insert', 'QUOTA_EXCEEDED', 'quota'],
      ['an operation that is not allowed', 'compute.subnetworks.insert', 'PERMISSIONS_ERROR', 'denied'],
    ])('until %s, which ends the operation', async (_what, method, code, refusal) => {
      bench.compute.failNextOperation(method, code, "Quota 'SUBNETWORKS' exceeded. Limit: 1.0 globally.");

      await expect(ensureNetwork()).rejects.toMatchObject({ refusal: { code: refusal } });
      expect(await ensureNetwork()).toMatchObject({ state: 'active' });
    });

    it('until the API is disabled, and the refusal has the link', async () => {
      bench.compute.disableApi(THEIR_PROJECT);

      await expect(ensureNetwork()).rejects.toMatchObject({
        refusal: { code: 'denied' },
        message: expect.stringContaining('compute.googleapis.com/overview?project=their-project'),
      });
    });
  });

  describe('in the project of the operator', () => {
    const network = { region: REGION, cidr: '10.1.7.0/24', zones: ['a'], layout: 'own' as const };
    const ensure = () => bench.driver().ensure('network', at('net'), network, TAGS);
    const textOf = async (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => 'no refusal',
        (error: Error) => error.message,
      );
    const ofProject = `projects/${OWN_PROJECT}/global/networks/x`;

    it('has the token of the operator, and no other one', async () => {
      await ensure();

      expect(new Set(callers.map(({ project, owner }) => `${project} ${owner}`))).toEqual(
        new Set([`${OWN_PROJECT} null`]),
      );
    });

    it.each([
      [403, 'forbidden', `Required 'compute.networks.create' permission for '${ofProject}'`],
      [403, 'forbidden', `robot@${OWN_PROJECT}.iam.gserviceaccount.com may not do so`],
      [404, 'notFound', `The resource 'projects/${OWN_PROJECT}' was not found`],
      [400, 'invalid', `Invalid value for field 'resource.name': '${ofProject}'.`],
      [400, 'resourceNotReady', `The resource '${ofProject}' is not ready`],
      [400, 'badRequest', `robot@${OWN_PROJECT}.iam.gserviceaccount.com is no account of project '${OWN_PROJECT}'`],
      [403, 'quotaExceeded', `Quota 'NETWORKS' exceeded in projects/${OWN_PROJECT}. Limit: 5.0 globally.`],
      [503, 'backendError', `https://www.googleapis.com/compute/v1/${ofProject} has no answer for ${OWN_PROJECT}`],
    ])('names neither the project nor an account after %i %s: %s', async (status, reason, said) => {
      bench.compute.refuseNext('compute.networks.insert', status, reason, said);

      const text = await textOf(ensure());

      expect(text).toMatch(/^Google POST networks: /);
      expect(text).not.toContain(OWN_PROJECT);
      expect(text).not.toContain('@');
    });

    it('names neither after an operation that failed, and after the API was disabled', async () => {
      const said = `The zone 'projects/${OWN_PROJECT}/zones/us-central1-a' does not have enough resources`;
      bench.compute.failNextOperation('compute.networks.insert', 'ZONE_RESOURCE_POOL_EXHAUSTED', said);
      await ensure();
      const text = await textOf(ensure());
      expect(text).toContain("The zone 'zones/us-central1-a' does not have enough resources");
      expect(text).not.toContain(OWN_PROJECT);

      bench.compute.disableApi(OWN_PROJECT);
      expect(await textOf(ensure())).toMatch(/: the API is not enabled in the project of the operator$/);
    });

    it('never shows a token in a refusal', async () => {
      bench.compute.authorize = () => ['compute.networks.create'];

      expect(await textOf(ensure())).not.toContain(OPERATOR_TOKEN);
    });
  });
});
