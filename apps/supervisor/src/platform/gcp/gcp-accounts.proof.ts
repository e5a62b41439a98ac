import { placeAccount, type CustomerAccount } from '@libs/cloud';
import { at, GcpBench, OWN_PROJECT, REGION, THEIR_ACCOUNT, THEIR_PROJECT } from '../../../test/gcp-bench.fixture.js';

const EXTERNAL_ID = 'ld-external-of-tenant-7';
const ACCOUNT: CustomerAccount = {
  ...{ cloud: 'gcp', region: REGION, project_id: THEIR_PROJECT, vpc_name: 'theirs' },
  ...{ service_account_email: THEIR_ACCOUNT, external_id: EXTERNAL_ID },
};
const NETWORK = { region: REGION, cidr: '10.1.0.0/24', zones: ['a'] };
const PLACE = placeAccount(THEIR_PROJECT, 7);

describe('The project of a customer at Google Cloud', () => {
  let bench: GcpBench;
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  beforeEach(async () => {
    await bench.empty({ operationMs: 0 });
    await bench.addNetwork(THEIR_PROJECT, 'theirs');
    const { google, compute } = bench;
    google.accounts.set(THEIR_ACCOUNT, {
      ...{ description: `made by hand landlord-external-id=${EXTERNAL_ID}`, isTrusted: true, lacks: [] },
    });
    bench.given.set(PLACE, { service_account_email: THEIR_ACCOUNT, external_id: EXTERNAL_ID });
    // Each token is good for its own project.
    compute.authorize = (token, project) => {
      const owner = google.ownerOf(token);
      const isOwn = owner === null ? project === OWN_PROJECT : owner !== undefined && project === THEIR_PROJECT;
      return isOwn ? [] : ['compute.everything.use'];
    };
  });
  afterEach(() => {
    expect(bench.compute.faults).toEqual([]);
  });
  afterAll(() => bench.close());

  const verdict = (over: Partial<CustomerAccount> = {}) =>
    bench.driver().validateAccount({ ...ACCOUNT, ...over } as CustomerAccount);
  const account = () =>
    bench.google.accounts.get(THEIR_ACCOUNT) as { description: string; isTrusted: boolean; lacks: readonly string[] };
  const inTheirs = (name: string, layout: object, place = PLACE) =>
    bench
      .driver()
      .ensure('network', at(name, place), { ...NETWORK, layout } as never, { installation: 'bench', deployment_id: 7 });

  it('is valid when Landlord may act as the service account, and the network exists', async () => {
    expect(await verdict()).toEqual({
      ...{ error: null, missing_permissions: [] },
      not_checked: ['iam.serviceAccounts.actAs: no instance of Landlord has a service account'],
    });
    expect(bench.compute.requests.filter(({ id }) => !/\.(get|insert)$/.test(id))).toEqual([]);
  });

  it('names the missing permissions', async () => {
    account().lacks = ['compute.instances.create', 'compute.addresses.use'];

    expect((await verdict()).missing_permissions).toEqual(['compute.instances.create', 'compute.addresses.use']);
  });

  it.each<[string, () => Promise<void> | void, RegExp]>([
    [
      'an external id of another tenant',
      () => void (account().description = 'landlord-external-id=other'),
      /does not hold the external id/,
    ],
    ['no external id', () => void (account().description = ''), /does not hold the external id/],
    [
      'a service account that does not trust Landlord',
      () => void (account().isTrusted = false),
      /does not let Landlord act/,
    ],
    ['a service account that does not exist', () => void bench.google.accounts.clear(), /does not let Landlord act/],
    [
      'an API that is not enabled',
      () => bench.compute.disableApi(THEIR_PROJECT),
      /console\.developers\.google\.com\/apis\/api\/compute/,
    ],
    ['a network that does not exist', () => bench.compute.remove('networks', 'theirs'), /has no network theirs/],
    ['a quota without room', () => bench.compute.quota('instances', 0), /of the quota INSTANCES in us-central1/],
  ])('is refused with %s', async (_what, spoil, reason) => {
    await spoil();

    expect(await verdict()).toMatchObject({ error: expect.stringMatching(reason), missing_permissions: [] });
  });

  it.each<[string, Partial<CustomerAccount>, RegExp]>([
    ['a misspelled project', { project_id: 'X' }, /project_id must be/],
    ['a misspelled network', { vpc_name: 'The_Network' }, /vpc_name must be/],
  ])('is refused with %s, before Google is asked', async (_what, over, reason) => {
    expect((await verdict(over)).error).toMatch(reason);
    expect(bench.google.asked).toEqual([]);
  });

  it('gets a subnet in its network with a token of its service account, which is asked for once', async () => {
    const layout = { vpc_id: 'theirs', range: 'given' };
    await inTheirs('net', layout);
    await inTheirs('net', layout);
    const network = await inTheirs('net', layout);

    expect(network).toMatchObject({ state: 'active', attributes: { account_id: THEIR_PROJECT, network_id: 'theirs' } });
    const subnets = bench.compute.resources('subnetworks');
    expect(subnets.map(({ selfLink }) => selfLink)).toEqual([expect.stringContaining(`/projects/${THEIR_PROJECT}/`)]);
    // Each driver is another process.
    expect(bench.google.asked).toEqual(Array(3).fill(THEIR_ACCOUNT));
  });

  it('is not served by the service account of another tenant', async () => {
    const layout = { vpc_id: 'theirs', range: 'given' };

    await expect(inTheirs('net', layout, placeAccount(THEIR_PROJECT, 8))).rejects.toMatchObject({ code: 'denied' });

    bench.given.set(placeAccount(THEIR_PROJECT, 8), {
      service_account_email: THEIR_ACCOUNT,
      external_id: 'of-tenant-8',
    });
    await expect(inTheirs('net', layout, placeAccount(THEIR_PROJECT, 8))).rejects.toMatchObject({ code: 'denied' });
    expect(bench.google.asked).toEqual([]);
    expect(bench.compute.resources('subnetworks')).toEqual([]);
  });

  it('is asked for another token after a refusal, and goes on when the access is back', async () => {
    const driver = bench.driver();
    const spec = { ...NETWORK, layout: { vpc_id: 'theirs', range: 'given' as const } };
    const ensure = () => driver.ensure('network', at('net', PLACE), spec, { installation: 'bench', deployment_id: 7 });
    await ensure();
    bench.compute.refuseNext(
      'compute.networks.get',
      403,
      'forbidden',
      "Required 'compute.networks.get' permission for 'projects/secret'",
    );

    const refusal = await ensure().catch((error: unknown) => error);

    expect(refusal).toMatchObject({ refusal: { code: 'denied', actions: ['compute.networks.get'] } });
    expect(String(refusal)).not.toContain('secret');
    await ensure();
    expect(bench.google.asked).toHaveLength(2);
  });

  it.each([
    [
      'with a range that an automatic subnetwork has',
      { range: 'given' },
      '10.128.0.0/24',
      /cannot overlap with 10\.128\.0\.0/,
    ],
    ['that does not exist', { range: 'given', vpc_id: 'none' }, '10.1.0.0/24', /has no network none/],
    ['with a range that is too small', { range: 'given' }, '10.1.0.0/29', /too small/],
  ])('refuses a network %s', async (_what, over, cidr, reason) => {
    await bench.addNetwork(THEIR_PROJECT, 'automatic', true);
    const layout = { vpc_id: 'automatic', ...over } as never;
    const ensure = () =>
      bench
        .driver()
        .ensure('network', at('net', PLACE), { ...NETWORK, cidr, layout }, { installation: 'bench', deployment_id: 7 });

    await expect(ensure()).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(reason) });
  });

  it('gets a free range beside those of its subnetworks', async () => {
    await bench.addNetwork(THEIR_PROJECT, 'automatic', true);
    const layout = { vpc_id: 'automatic', range: 'free' };
    await inTheirs('net', layout);
    await inTheirs('net', layout);

    const { attributes } = await inTheirs('net', layout);

    expect(attributes).toMatchObject({ cidr: '10.0.7.0/24', subnet_ids: [expect.stringMatching(/^ld-/)] });
  });
});
