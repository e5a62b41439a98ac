import { CloudError, diagnoseGcp, type GcpDiagnosisOptions } from '@libs/cloud';
import { FakeCompute, FakeGoogle, OPERATOR_TOKEN } from '@libs/testing';

const PROJECT = 'landlord-test';
const REGION = 'us-central1';
const IMAGE = 'ubuntu-os-cloud/ubuntu-2404-lts-{processor}';

describe("the diagnosis of the operator's own project at Google Cloud, on the fake of Compute Engine", () => {
  let compute: FakeCompute;
  let google: FakeGoogle;
  beforeEach(async () => {
    compute = await FakeCompute.start({ operationMs: 0 });
    google = await FakeGoogle.start(compute.endpoint);
    compute.authorize = (token) => (google.ownerOf(token) === null ? [] : ['compute.projects.get']);
  });
  afterEach(async () => {
    expect(compute.faults).toEqual([]);
    await google.stop();
    await compute.stop();
  });

  const operator = { token: async () => OPERATOR_TOKEN };
  const diagnose = (over: Partial<GcpDiagnosisOptions> = {}) =>
    diagnoseGcp({ endpoint: google.endpoint, project: PROJECT, region: REGION, image: IMAGE, operator, ...over });
  const lines = async (over?: Partial<GcpDiagnosisOptions>) =>
    (await diagnose(over)).map(({ check, level, what }) => `${level} ${check}: ${what}`);

  it('names the access, the permissions, the project, the zones, the images and the quotas, and changes nothing', async () => {
    expect(await lines()).toEqual([
      'ok access: Google gives a token',
      'ok permissions: the account has every permission that the driver needs',
      'ok project: landlord-test, with Compute Engine',
      'ok quotas: NETWORKS: 0 of 500 in use',
      'ok quotas: FIREWALLS: 0 of 500 in use',
      'ok quotas: SNAPSHOTS: 0 of 500 in use',
      expect.stringMatching(/^ok zones: us-central1-a, us-central1-b/),
      expect.stringMatching(/^ok image: ubuntu-2404-lts-amd64-\w+, x64$/),
      expect.stringMatching(/^ok image: ubuntu-2404-lts-arm64-\w+, arm64$/),
      'ok quotas: INSTANCES: 0 of 500 in use',
      'ok quotas: STATIC_ADDRESSES: 0 of 500 in use',
      'ok quotas: CPUS: 0 of 500 in use',
    ]);
    expect(compute.requests.filter(({ id }) => !/\.(get|getFromFamily|list)$/.test(id))).toEqual([]);
  });

  it('fails without an access to Google', async () => {
    const error = new CloudError({ code: 'denied', actions: [] }, 'this host has no access to Google Cloud');

    expect(await diagnose({ operator: { token: () => Promise.reject(error) } })).toEqual([
      {
        ...{ check: 'access', level: 'fail', what: 'this host has no access to Google Cloud' },
        todo: expect.stringContaining('GOOGLE_APPLICATION_CREDENTIALS'),
      },
    ]);
    expect(compute.requests).toEqual([]);
  });

  it('fails while Google does not answer with a token', async () => {
    const late = { token: () => Promise.reject(new CloudError({ code: 'unavailable' }, 'Google did not answer')) };

    expect(await lines({ operator: late })).toEqual(['fail answers: Google did not answer']);
  });

  it('fails with a token that Google does not accept', async () => {
    const found = await lines({ operator: { token: async () => 'stolen' } });

    expect(found).toEqual(['ok access: Google gives a token', expect.stringMatching(/^fail project: .*invalid cred/)]);
  });

  it.each([
    ['Frankfurt', ['fail region: "Frankfurt" is not a region']],
    ['us-central1-a', ['fail region: "us-central1-a" is not a region']],
  ])('fails for the text %s, which is not a region', async (region, expected) => {
    expect(await lines({ region })).toEqual(expected);
    expect(compute.requests).toEqual([]);
  });

  it('fails for a region that Google does not have', async () => {
    expect((await lines({ region: 'us-nowhere9' })).at(-1)).toBe('fail zones: Google Cloud has no zone in us-nowhere9');
  });

  it('fails for a text that is no id of a project', async () => {
    expect(await lines({ project: 'My Project' })).toEqual([
      expect.stringMatching(/^fail project: "My Project" is not a project id$/),
    ]);
    expect(compute.requests).toEqual([]);
  });

  it('fails for a project that does not exist, and for one that the account may not see', async () => {
    expect((await lines({ project: 'no-such-project' })).at(-1)).toBe(
      "fail project: The resource 'projects/no-such-project' was not found",
    );

    google.closed.set(PROJECT, {
      ...{ status: 403, reason: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
    });
    expect((await diagnose()).at(-1)).toEqual({
      ...{ check: 'project', level: 'fail', what: 'The caller does not have permission' },
      todo: 'Check GCP_PROJECT and the roles of the account.',
    });
  });

  it('names every missing permission, and looks at the rest', async () => {
    google.lacking = ['compute.networks.create', 'compute.disks.resize'];

    const found = await lines();

    expect(found).toContain('fail permissions: missing: compute.disks.resize, compute.networks.create');
    expect(found).toContain('ok project: landlord-test, with Compute Engine');
  });

  it('fails when Google refuses a question for a permission', async () => {
    compute.authorize = (_token, _project, method) => (method === 'compute.zones.list' ? ['compute.zones.list'] : []);

    expect((await lines()).at(-1)).toMatch(/^fail project: Required 'compute.zones.list' permission for/);
  });

  it('fails for a project without the API of Compute Engine, and has the link that enables the API', async () => {
    compute.disableApi(PROJECT);

    expect((await diagnose()).at(-1)).toEqual({
      ...{ check: 'project', level: 'fail', todo: 'Enable the API.' },
      what: expect.stringContaining('compute.googleapis.com/overview?project=landlord-test'),
    });
  });

  it.each([
    ['debian', /^fail image: GCP_IMAGE is "debian"$/],
    ['debian-cloud/no-such-family', /^fail image: Google has no image debian-cloud\/no-such-family for x64$/],
    ['somebody/debian-12', /^fail image: Google has no image somebody\/debian-12 for x64$/],
    ['debian-cloud/debian-12', /^ok image: debian-12-v\d+, x64$/],
  ])('looks for the image %s', async (image, line) => {
    expect(await lines({ image })).toContainEqual(expect.stringMatching(line));
  });

  it.each([
    ['networks', 'NETWORKS: 0 of 0 in use'],
    ['instances', 'INSTANCES: 0 of 0 in use'],
    ['cpus', 'CPUS: 0 of 0 in use'],
  ])('fails for a quota of %s that is used up', async (collection, what) => {
    compute.quota(collection, 0);

    expect(await diagnose()).toContainEqual({
      ...{ check: 'quotas', level: 'fail', what, todo: 'Ask Google for a higher quota.' },
    });
  });

  it.each(['compute.projects.get', 'compute.zones.list', 'compute.images.getFromFamily', 'compute.regions.get'])(
    'fails after an outage of %s, and never says that all is well',
    async (method) => {
      compute.refuseNext(method, 503, 'backendError', 'Try again');

      expect((await diagnose()).at(-1)).toMatchObject({ check: 'answers', level: 'fail' });
    },
  );

  it('fails without an answer', async () => {
    expect(await lines({ endpoint: 'http://127.0.0.1:1' })).toEqual([
      'ok access: Google gives a token',
      'fail answers: Google testIamPermissions: no answer',
    ]);
  });

  it('stops with the reason of its signal', async () => {
    const reason = new Error('enough');
    const options = { endpoint: google.endpoint, project: PROJECT, region: REGION, image: IMAGE, operator };

    await expect(diagnoseGcp(options, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
