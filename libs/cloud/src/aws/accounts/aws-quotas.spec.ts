import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { setVariables } from '@libs/testing/basics';
import { AwsClientPool, type AwsConnection } from '../aws-clients.js';
import { AwsQuotas } from './aws-quotas.js';

const REGION = 'us-east-1';
const machine = (type: string, cores: number, threads: number) =>
  `<item><instanceType>${type}</instanceType><cpuOptions><coreCount>${cores}</coreCount><threadsPerCore>${threads}</threadsPerCore></cpuOptions></item>`;
const instancesXml = (machines: string[], next: string | null) =>
  `<DescribeInstancesResponse><reservationSet><item><instancesSet>${machines.join('')}</instancesSet></item></reservationSet>${
    next === null ? '' : `<nextToken>${next}</nextToken>`
  }</DescribeInstancesResponse>`;

type Answer = [status: number, body: string];
const UNAUTHORIZED: Answer = [
  403,
  '<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>no</Message></Error></Errors></Response>',
];

/** Answers as AWS writes them, read by the real SDK. Moto has no quotas of EC2, and one vCPU for each machine. */
describe('The quotas of an account at AWS', () => {
  let server: Server;
  let quota: (code: string) => Answer;
  let addresses: Answer;
  beforeEach(() => {
    addresses = UNAUTHORIZED;
  });
  beforeAll(async () => {
    setVariables({ AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' });
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const [status, text] = isQuota(request.headers) ? quota(codeIn(body)) : ec2(new URLSearchParams(body));
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    jest.restoreAllMocks();
    return new Promise((resolve) => server.close(resolve));
  });

  const isQuota = (headers: IncomingHttpHeaders): boolean => 'x-amz-target' in headers;
  const codeIn = (body: string): string => (JSON.parse(body) as { QuotaCode: string }).QuotaCode;
  function ec2(parameters: URLSearchParams): Answer {
    if (parameters.get('Action') === 'DescribeVpcs')
      return [200, '<DescribeVpcsResponse><vpcSet><item/><item/></vpcSet></DescribeVpcsResponse>'];
    if (parameters.get('Action') === 'DescribeAddresses') return addresses;
    const first = instancesXml([machine('m8i.xlarge', 2, 2), machine('p5.48xlarge', 96, 2)], 'page 2');
    return [200, parameters.get('NextToken') === 'page 2' ? instancesXml([machine('t4g.small', 2, 1)], null) : first];
  }
  async function usages() {
    const { quotas, ec2: client } = await opened();
    return quotas.usages(client);
  }
  async function opened() {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connection: AwsConnection = {
      ...{ endpoint, permits: { take: async () => undefined } },
      credentialsOf: () => async () => ({ accessKeyId: '', secretAccessKey: '' }),
    };
    const clients = await new AwsClientPool(connection).of({ cloud: 'aws', region: REGION, account: null });
    return { quotas: new AwsQuotas(connection, REGION), ec2: clients.ec2 };
  }

  it('count all pages of running machines of the standard families, and have the limits of AWS', async () => {
    quota = (code) => [200, JSON.stringify({ Quota: { QuotaCode: code, Value: code === 'L-1216C47A' ? 32 : 5 } })];

    expect(await usages()).toEqual([
      { what: 'VPCs', used: 2, limit: 5, reason: '' },
      { what: 'elastic addresses', used: null, limit: 5, reason: '' },
      { what: 'vCPUs of running standard instances', used: 6, limit: 32, reason: '' },
    ]);
  });

  it.each([
    ['may not be asked', 400, { __type: 'AccessDeniedException', message: 'no' }, 'AccessDeniedException'],
    ['do not exist', 400, { __type: 'NoSuchResourceException', Message: 'no' }, 'NoSuchResourceException'],
    ['have no value', 200, { Quota: {} }, 'the answer has no value'],
  ])('are unknown when they %s', async (_what, status, body, reason) => {
    quota = () => [status, JSON.stringify(body)];

    expect((await usages())[0]).toEqual({ what: 'VPCs', used: 2, limit: null, reason });
  });

  it.each([
    ['throttling', 400, JSON.stringify({ __type: 'ThrottlingException' }), 'throttled'],
    ['HTML', 200, '<html><body>Welcome</body></html>', 'unavailable'],
    ['a failure of a proxy', 502, '<html><body>Bad gateway</body></html>', 'unavailable'],
  ])('reject after %s', async (_what, status, body, code) => {
    quota = () => [status, body];

    await expect(usages()).rejects.toMatchObject({ refusal: { code } });
  });

  describe('for the elastic addresses of a deployment', () => {
    const require = async (needed: number): Promise<void> => {
      const { quotas, ec2: client } = await opened();
      return quotas.requireAddresses(client, needed);
    };
    beforeEach(() => {
      const items = '<item><allocationId>eipalloc-1</allocationId></item>'.repeat(3);
      addresses = [200, `<DescribeAddressesResponse><addressesSet>${items}</addressesSet></DescribeAddressesResponse>`];
      quota = () => [200, JSON.stringify({ Quota: { Value: 5 } })];
    });

    it('refuse more than the rest, with both numbers', async () => {
      await require(2);
      await expect(require(3)).rejects.toMatchObject({
        refusal: { code: 'quota', name: 'elastic addresses' },
        message: '3 elastic addresses of 5 are in use, and the deployment needs 3',
      });
    });

    it.each<[string, Answer]>([
      ['may not be asked', [400, JSON.stringify({ __type: 'AccessDeniedException', message: 'no' })]],
      ['do not exist', [400, JSON.stringify({ __type: 'NoSuchResourceException', Message: 'no' })]],
      ['do not answer', [502, '<html><body>Bad gateway</body></html>']],
    ])('refuse nothing when they %s', async (_what, answer) => {
      quota = () => answer;

      await require(100);
    });

    it('wait for their answer when AWS throttles the question', async () => {
      quota = () => [400, JSON.stringify({ __type: 'ThrottlingException' })];

      await expect(require(1)).rejects.toMatchObject({ refusal: { code: 'throttled' } });
    });

    it('refuse nothing when the addresses may not be counted', async () => {
      addresses = UNAUTHORIZED;

      await require(100);
    });
  });
});
