import { jest } from '@jest/globals';
import { EC2, type DescribeImagesCommandOutput } from '@aws-sdk/client-ec2';
import { diagnoseAws, type AwsDiagnosisOptions } from '@libs/cloud';
import { AwsFaultProxy, freePorts, MotoServer, setVariables, skippedSuite } from '@libs/testing';
import { KEYS } from '../../../test/moto-account.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);

const REGION = 'eu-central-1';
const INSTALLATION = 'diagnosed';
const Tags = [{ Key: 'landlord:installation', Value: INSTALLATION }];

describeWithMoto("The diagnosis of the operator's own account at AWS, on Moto", () => {
  let moto: MotoServer;
  let proxy: AwsFaultProxy;
  let ec2: EC2;
  let image: NonNullable<DescribeImagesCommandOutput['Images']>[number];
  beforeAll(async () => {
    setVariables({ AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey });
    const [port = 0] = await freePorts(1);
    moto = await MotoServer.start(port);
    ec2 = new EC2({ endpoint: moto.endpoint, region: REGION, credentials: KEYS });
    const { Images = [] } = await ec2.describeImages({ Owners: ['amazon'] });
    image = Images[0] ?? {};
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await moto.stop();
  });
  beforeEach(async () => {
    await moto.reset();
    proxy = await AwsFaultProxy.start(moto.endpoint);
  });
  afterEach(() => proxy.stop());

  const diagnose = (over: Partial<AwsDiagnosisOptions> = {}) =>
    diagnoseAws({
      endpoint: proxy.endpoint,
      region: REGION,
      image: image.ImageId ?? '',
      installation: INSTALLATION,
      ...over,
    });
  const lines = async (over?: Partial<AwsDiagnosisOptions>) =>
    (await diagnose(over)).map(({ check, level, what }) => `${level} ${check}: ${what}`);

  it('names the identity, the zones, the image, the quotas and the permissions, and changes nothing', async () => {
    await ec2.allocateAddress({ Domain: 'vpc' });

    expect(await lines()).toEqual([
      expect.stringMatching(/^ok identity: account 123456789012, arn:aws:/),
      'ok zones: eu-central-1a, eu-central-1b, eu-central-1c',
      expect.stringContaining(`ok image: ${image.ImageId}, `),
      'ok quotas: VPCs: 1 in use of 5',
      expect.stringMatching(/^warn quotas: elastic addresses: 1 in use; the limit is not checked: NoSuchResource/),
      expect.stringMatching(/^warn quotas: vCPUs of running standard instances: 0 in use; the limit is not checked/),
      'ok permissions: the creations of EC2 that have a dry run are allowed',
      expect.stringMatching(
        /^warn permissions: not checked: ec2:RunInstances: it needs a network of this installation/,
      ),
    ]);
    expect(proxy.creations).toEqual([]);
    expect((await ec2.describeVpcs({})).Vpcs).toHaveLength(1);
    expect((await ec2.describeAddresses({})).Addresses).toHaveLength(1);
    expect((await ec2.describeVolumes({})).Volumes).toEqual([]);
  });

  it('asks for a machine in a network of the installation, and starts none', async () => {
    const vpc = await ec2.createVpc({ CidrBlock: '10.9.0.0/16' });
    const VpcId = vpc.Vpc?.VpcId;
    await ec2.createSubnet({
      ...{ VpcId, CidrBlock: '10.9.0.0/24', TagSpecifications: [{ ResourceType: 'subnet', Tags }] },
    });
    await ec2.createSecurityGroup({
      ...{ VpcId, GroupName: 'own', Description: 'own' },
      TagSpecifications: [{ ResourceType: 'security-group', Tags }],
    });

    expect((await lines()).at(-1)).toMatch(
      /^warn permissions: not checked: ec2:CreateSnapshot: it needs a volume of this installation; balancers, and changes/,
    );
    expect(proxy.counts.get('RunInstances')).toBe(1);
    proxy.denied.add('RunInstances');
    expect(await lines()).toContain('fail permissions: missing: ec2:RunInstances');
    expect((await ec2.describeInstances({})).Reservations).toEqual([]);
  });

  it('counts the vCPUs of running machines', async () => {
    const ImageId = image.ImageId;
    await ec2.runInstances({ ImageId, InstanceType: 'm5.xlarge', MinCount: 2, MaxCount: 2 });
    await ec2.runInstances({ ImageId, InstanceType: 'g4dn.xlarge', MinCount: 1, MaxCount: 1 });
    const { Reservations = [] } = await ec2.describeInstances({});
    const cpus = Reservations.flatMap(({ Instances = [] }) => Instances)
      .filter(({ InstanceType }) => InstanceType === 'm5.xlarge')
      .map(({ CpuOptions }) => (CpuOptions?.CoreCount ?? 1) * (CpuOptions?.ThreadsPerCore ?? 1));

    const found = await lines();

    expect(cpus).toHaveLength(2);
    expect(found).toContainEqual(
      expect.stringContaining(`vCPUs of running standard instances: ${cpus.reduce((a, b) => a + b)} in use`),
    );
  });

  it('fails for a quota that is used up', async () => {
    for (const number of [1, 2, 3, 4]) await ec2.createVpc({ CidrBlock: `10.${number}.0.0/16` });

    expect(await diagnose()).toContainEqual({
      ...{ check: 'quotas', level: 'fail', what: 'VPCs: 5 in use of 5' },
      todo: 'Ask AWS for a higher limit in Service Quotas.',
    });
  });

  it.each(['CreateVpc', 'CreateInternetGateway', 'AllocateAddress', 'CreateVolume'])(
    'fails without the permission ec2:%s',
    async (action) => {
      proxy.denied.add(action);

      expect(await lines()).toContain(`fail permissions: missing: ec2:${action}`);
    },
  );

  it('fails for zones and images that the keys may not see', async () => {
    proxy.denied.add('DescribeImages');
    expect(await lines()).toContain('fail image: missing: ec2:DescribeImages');

    proxy.denied.add('DescribeAvailabilityZones');
    expect((await lines()).at(-1)).toBe('fail zones: missing: ec2:DescribeAvailabilityZones');
  });

  it.each([
    [null, /^warn image: not checked: AWS_IMAGE is not set/],
    ['debian', /^fail image: AWS_IMAGE is "debian"/],
    ['ami-00000000000000000', /^fail image: the region eu-central-1 has no image ami-0/],
    ['amazon/no-such-name-*', /^fail image: the region eu-central-1 has no image amazon/],
  ])('looks for the image %s', async (wanted, line) => {
    expect(await lines({ image: wanted })).toContainEqual(expect.stringMatching(line));
  });

  it('takes the newest image of an owner with a name', async () => {
    const named = `amazon/${image.Name?.slice(0, 12)}*`;

    expect(await lines({ image: named })).toContainEqual(expect.stringMatching(/^ok image: ami-\w+, /));
  });

  it('fails for a region that is not enabled, and for a text that is not a region', async () => {
    proxy.closedRegions.add(REGION);
    const found = await lines();

    expect(found.at(-1)).toMatch(/^fail /);
    expect(found.join()).toMatch(/not enabled|does not accept the keys/);
    expect(await lines({ region: 'Frankfurt' })).toEqual(['fail region: "Frankfurt" is not a region']);
  });

  it.each([
    ['HTML', '<html><body>Welcome</body></html>'],
    ['an empty answer', ''],
    ['an answer that is cut', '<DescribeVpcsResponse><vpcSet><item><vpcId>vpc-1'],
  ])('fails after %s, and never says that all is well', async (_what, body) => {
    for (const action of ['GetCallerIdentity', 'DescribeAvailabilityZones', 'CreateVpc']) {
      proxy.spoil(action, body);
      expect([action, (await diagnose()).at(-1)]).toMatchObject([action, { check: 'answers', level: 'fail' }]);
    }
  });

  it('stops with the reason of its signal', async () => {
    const reason = new Error('enough');

    await expect(
      diagnoseAws(
        { endpoint: proxy.endpoint, region: REGION, image: null, installation: 'i' },
        AbortSignal.abort(reason),
      ),
    ).rejects.toBe(reason);
  });
});
