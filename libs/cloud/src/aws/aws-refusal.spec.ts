import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudError } from '../cloud-error.js';
import { AwsClientPool, isRemoved } from './aws-clients.js';

const KEYS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' };
const AT = { cloud: 'aws', region: 'us-east-1', account: '111122223333' };
const ASKED = {
  MinCount: 1,
  MaxCount: 1,
  InstanceType: 'm8g.large' as const,
  Placement: { AvailabilityZone: 'us-east-1b' },
};

/** What Landlord adds to the words of AWS. */
const [CLOCK, CLOSED] = [
  '. The clock of this host may be wrong, or the keys have ended',
  '. The region us-east-1 may not be enabled in the account, or the keys are wrong',
];
const HINTS: Record<string, string> = {
  ...{ RequestExpired: CLOCK, RequestTimeTooSkewed: CLOCK, AuthFailure: CLOSED, OptInRequired: CLOSED },
};

/** Errors as AWS writes them, read by the real SDK. */
describe('A refusal of AWS', () => {
  let server: Server;
  let answer: { status: number; type: string; body: string } | null;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      if (answer === null) return void response.destroy();
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const clients = () =>
    new AwsClientPool({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      permits: { take: async () => undefined },
      credentialsOf: () => async () => KEYS,
    }).of(AT);
  const says = (status: number, code: string, message = 'no') => {
    const body = `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors></Response>`;
    answer = { status, type: 'text/xml', body };
  };
  const refused = async (): Promise<CloudError> => {
    const { ec2 } = await clients();
    const error: unknown = await ec2.runInstances(ASKED).catch((caught: unknown) => caught);
    if (!(error instanceof CloudError)) throw new TypeError(`no CloudError: ${String(error)}`);
    return error;
  };

  it.each([
    [503, 'RequestLimitExceeded', { code: 'throttled', retry_after_ms: 2_000 }],
    [500, 'InsufficientInstanceCapacity', { code: 'capacity', what: 'm8g.large', zone: 'us-east-1b' }],
    [400, 'Unsupported', { code: 'capacity', what: 'm8g.large', zone: 'us-east-1b' }],
    [400, 'VcpuLimitExceeded', { code: 'quota', name: 'VcpuLimitExceeded' }],
    [400, 'VpcLimitExceeded', { code: 'quota', name: 'VpcLimitExceeded' }],
    [400, 'AddressLimitExceeded', { code: 'quota', name: 'AddressLimitExceeded' }],
    [400, 'TooManyLoadBalancers', { code: 'quota', name: 'TooManyLoadBalancers' }],
    [403, 'UnauthorizedOperation', { code: 'denied', actions: ['ec2:RunInstances'] }],
    [401, 'AuthFailure', { code: 'denied', actions: ['ec2:RunInstances'] }],
    [400, 'OptInRequired', { code: 'denied', actions: ['ec2:RunInstances'] }],
    [400, 'RequestExpired', { code: 'unavailable' }],
    [400, 'RequestTimeTooSkewed', { code: 'unavailable' }],
    [400, 'ExpiredToken', { code: 'unavailable' }],
    [400, 'InvalidSubnetID.NotFound', { code: 'unavailable' }],
    [400, 'DependencyViolation', { code: 'unavailable' }],
    [400, 'InvalidTarget', { code: 'unavailable' }],
    [400, 'InvalidParameterValue', { code: 'invalid' }],
    [400, 'IdempotentParameterMismatch', { code: 'invalid' }],
    [500, 'InternalError', { code: 'unavailable' }],
  ])('%d %s is %j', async (status, code, refusal) => {
    says(status, code, 'the words of AWS');

    const error = await refused();

    expect(error.refusal).toEqual(refusal);
    const words = refusal.code === 'denied' ? '' : ': the words of AWS';
    expect(error.message).toBe(`AWS ec2:RunInstances: ${code}${words}${HINTS[code] ?? ''}`);
  });

  it('names no account and no role in the message of a denied call, and keeps the words for the log', async () => {
    const words =
      'User: arn:aws:sts::999988887777:assumed-role/landlord is not authorized to perform: ec2:RunInstances';
    says(403, 'UnauthorizedOperation', words);

    const error = await refused();

    expect(error.message).not.toMatch(/999988887777|assumed-role/);
    expect((error.cause as Error).message).toBe(words);
  });

  it.each([
    ['an answer that is HTML', { status: 502, type: 'text/html', body: '<html><body>Bad gateway</body></html>' }],
    ['an empty answer', { status: 400, type: 'text/xml', body: '' }],
    ['an answer that is cut', { status: 400, type: 'text/xml', body: '<Response><Errors><Error><Code>Inva' }],
    ['an answer of somebody else', { status: 403, type: 'application/json', body: '{"error":"proxy"}' }],
    ['a connection that ends', null],
  ])('%s may hide an effect, and is unavailable', async (_what, body) => {
    answer = body;

    expect((await refused()).refusal).toEqual({ code: 'unavailable' });
  });

  it('of a deletion means that the resource is gone, in use, or that the deletion failed', async () => {
    const { ec2, elb } = await clients();
    const deletion = () => isRemoved(ec2.deleteVpc({ VpcId: 'vpc-1' }));

    says(400, 'InvalidVpcID.NotFound');
    expect(await deletion()).toBe(true);
    says(400, 'DependencyViolation');
    expect(await deletion()).toBe(false);
    const body =
      '<ErrorResponse><Error><Type>Sender</Type><Code>ResourceInUse</Code><Message>x</Message></Error></ErrorResponse>';
    answer = { status: 400, type: 'text/xml', body };
    expect(await isRemoved(elb.deleteTargetGroup({ TargetGroupArn: 'arn' }))).toBe(false);
    says(403, 'UnauthorizedOperation');
    await expect(deletion()).rejects.toMatchObject({ refusal: { code: 'denied' } });
  });
});
