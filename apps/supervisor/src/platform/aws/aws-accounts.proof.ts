import { jest } from '@jest/globals';
import { EC2 } from '@aws-sdk/client-ec2';
import { STS } from '@aws-sdk/client-sts';
import { AwsProvider, AwsRoles, SharedDriverMemory, type CustomerAccount } from '@libs/cloud';
import { DriverResourcesRepository } from '@libs/persistence/runtime';
import {
  AwsFaultProxy,
  freePorts,
  MotoServer,
  setVariables,
  skippedSuite,
  stopClock,
  WorkflowBench,
} from '@libs/testing';
import { unbootedNodes } from '../../../test/aws-bench.fixture.js';
import { KEYS } from '../../../test/moto-account.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);

const ACCOUNT = '111122223333';
const REGION = 'eu-central-1';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/landlord`;
const EXTERNAL_ID = '7d6a1f36-5b0c-4d3c-8a55-5e5c1c9f2b11';
const permits = { take: async () => undefined };

describeWithMoto('The driver aws in the account of a customer, on Moto', () => {
  let bench: WorkflowBench;
  let moto: MotoServer;
  let proxy: AwsFaultProxy;
  let vpcId: string;
  beforeAll(async () => {
    setVariables({ AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey });
    const [port = 0] = await freePorts(1);
    [bench, moto] = await Promise.all([WorkflowBench.open(), MotoServer.start(port)]);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await moto.stop();
    await bench.close();
  });
  beforeEach(async () => {
    await moto.reset();
    proxy = await AwsFaultProxy.start(moto.endpoint);
    proxy.trusts = new Map([[ROLE, EXTERNAL_ID]]);
    vpcId = await makeVpc(REGION, '10.20.0.0/16');
  });
  afterEach(() => proxy.stop());

  /** The account of the customer, asked at Moto directly. */
  async function customer(region: string): Promise<EC2> {
    const options = { endpoint: moto.endpoint, region, credentials: KEYS };
    const { Credentials } = await new STS(options).assumeRole({ RoleArn: ROLE, RoleSessionName: 'customer' });
    const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
    const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    return new EC2({ ...options, credentials });
  }
  async function makeVpc(region: string, CidrBlock: string): Promise<string> {
    return (await (await customer(region)).createVpc({ CidrBlock })).Vpc?.VpcId ?? '';
  }

  const driver = () => {
    const connection = { endpoint: proxy.endpoint, permits };
    const { credentialsOf, keysRefused } = new AwsRoles(connection, {
      find: async () => ({ account_id: ACCOUNT, identity_arn: ROLE, external_id: EXTERNAL_ID }),
    });
    const memory = new SharedDriverMemory(new DriverResourcesRepository(bench.database));
    return new AwsProvider('accounts', memory, { ...connection, credentialsOf, keysRefused }, unbootedNodes(bench));
  };
  const account = (over: object = {}): CustomerAccount => ({
    ...{ cloud: 'aws', region: REGION, account_id: ACCOUNT, identity_arn: ROLE, external_id: EXTERNAL_ID },
    ...{ vpc_id: vpcId, ...over },
  });
  const verdict = (over?: object) => driver().validateAccount(account(over));

  it('finds that all is well, says what it could not ask, and creates nothing', async () => {
    const { error, missing_permissions, not_checked } = await verdict();

    expect({ error, missing_permissions }).toEqual({ error: null, missing_permissions: [] });
    expect(not_checked).toEqual([
      expect.stringMatching(/^ec2:RunInstances: /),
      'ec2:CreateSnapshot: it needs a volume of this installation',
      expect.stringMatching(/^elasticloadbalancing: /),
      expect.stringMatching(/^the start, stop, change and deletion/),
    ]);
    expect(proxy.creations).toEqual([]);
    expect(proxy.counts.get('CreateVolume')).toBe(1);
    const ec2 = await customer(REGION);
    const own = { Filters: [{ Name: 'vpc-id', Values: [vpcId] }] };
    expect((await ec2.describeSubnets(own)).Subnets).toEqual([]);
    expect((await ec2.describeSecurityGroups(own)).SecurityGroups).toHaveLength(1);
    expect((await ec2.describeAddresses({})).Addresses).toEqual([]);
    expect((await ec2.describeVolumes({})).Volumes).toEqual([]);
  });

  it.each(['CreateSubnet', 'CreateSecurityGroup', 'AllocateAddress', 'CreateVolume', 'DescribeVpcs'])(
    'names the missing permission ec2:%s',
    async (action) => {
      proxy.denied.add(action);

      expect(await verdict()).toMatchObject({ error: null, missing_permissions: [`ec2:${action}`] });
    },
  );

  it.each([
    ['the external id of another tenant', { external_id: 'another' }, /requires another external id/],
    ['a role that does not exist', { identity_arn: `${ROLE}-2` }, /role does not exist/],
    ['a role of another account', { identity_arn: ROLE.replace('1111', '9999') }, /is a role of account 999922223333/],
    ['a VPC that does not exist', { vpc_id: 'vpc-0123456789abcdef0' }, /does not exist in region eu-central-1/],
    ['a VPC of another region', { region: 'eu-west-1' }, /does not exist in region eu-west-1/],
    ['a misspelled VPC', { vpc_id: 'vpc' }, /vpc_id must be/],
  ])('refuses %s with a plain sentence', async (_what, over, sentence) => {
    const { error, missing_permissions } = await verdict(over);

    expect(error).toMatch(sentence);
    expect(missing_permissions).toEqual([]);
    expect(proxy.creations).toEqual([]);
  });

  it('refuses a region that is not enabled, and a VPC that is too small', async () => {
    proxy.closedRegions.add('eu-west-1');
    expect((await verdict({ region: 'eu-west-1' })).error).toMatch(/is not enabled in the account/);

    const small = await makeVpc(REGION, '10.30.0.0/25');
    expect((await verdict({ vpc_id: small })).error).toMatch(
      /10\.30\.0\.0\/25, which is too small for a subnet of \/24/,
    );
  });

  it.each([
    ['HTML', '<html><body>Welcome</body></html>'],
    ['an empty answer', ''],
    ['an answer that is cut', '<DescribeVpcsResponse><vpcSet><item><vpcId>vpc-1'],
  ])('is unavailable after %s, in each step', async (_what, body) => {
    for (const action of [
      'AssumeRole',
      'GetCallerIdentity',
      'DescribeAvailabilityZones',
      'DescribeVpcs',
      'CreateVolume',
    ]) {
      proxy.spoil(action, body);
      const error: unknown = await verdict().catch((refusal: unknown) => refusal);
      expect([action, error]).toMatchObject([action, { refusal: { code: 'unavailable' } }]);
    }
    expect((await verdict()).error).toBeNull();
  });

  it('stops with the reason of its signal', async () => {
    const reason = new DOMException('too late', 'TimeoutError');

    await expect(driver().validateAccount(account(), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('is denied with a plain sentence after the role was deleted, and works again with the role', async () => {
    const cloud = driver();
    const at = { cloud: 'aws', region: REGION, account: `${ACCOUNT}/7` };
    const look = () => cloud.inventory(at, { installation: 'accounts' }, null);
    await look();

    proxy.trusts = new Map();
    proxy.denied.add('DescribeSubnets');
    await expect(look()).rejects.toMatchObject({ refusal: { code: 'denied', actions: ['ec2:DescribeSubnets'] } });
    proxy.denied.clear();
    await expect(look()).rejects.toMatchObject({
      refusal: { code: 'denied', actions: ['sts:AssumeRole'] },
      message: expect.stringContaining('AWS does not let Landlord assume the role'),
    });

    proxy.trusts = new Map([[ROLE, EXTERNAL_ID]]);
    stopClock(Date.now() + 11_000);
    await look().finally(() => jest.useRealTimers());
  });
});
