import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { setVariables, stopClock } from '@libs/testing/basics';
import type { CloudError } from '../../cloud-error.js';
import { AwsClientPool } from '../aws-clients.js';
import { AwsRoles, type AwsRole } from './aws-roles.js';

const AT = { cloud: 'aws', region: 'eu-central-1', account: '111122223333/7' };
const ROLE: AwsRole = {
  account_id: '111122223333',
  identity_arn: 'arn:aws:iam::111122223333:role/landlord',
  external_id: 'the external id',
};
const HOUR = 3_600_000;
const MINUTE = 60_000;

const sessionXml = (number: number, endsAt: number, account = ROLE.account_id) =>
  `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
    <AssumedRoleUser><Arn>arn:aws:sts::${account}:assumed-role/landlord/landlord</Arn><AssumedRoleId>R:landlord</AssumedRoleId></AssumedRoleUser>
    <Credentials><AccessKeyId>ASIAKEY${number}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken>
      <Expiration>${new Date(endsAt).toISOString()}</Expiration></Credentials>
  </AssumeRoleResult></AssumeRoleResponse>`;
const VPCS = '<DescribeVpcsResponse><vpcSet/></DescribeVpcsResponse>';
const ec2Error = (code: string) =>
  `<Response><Errors><Error><Code>${code}</Code><Message>no</Message></Error></Errors></Response>`;
const stsError = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>User: arn:aws:iam::999988887777:user/x</Message></Error></ErrorResponse>`;

type Answer = [status: number, body: string];

/** Answers as AWS writes them, read by the real SDK. */
describe('The keys for the account of a customer', () => {
  let server: Server;
  let assumed: URLSearchParams[];
  /** The access key of each call to EC2. */
  let keys: string[];
  let sts: (count: number) => Answer;
  let ec2: (key: string) => Answer;
  let role: AwsRole | null;
  /** Whether the role accepts every external id. */
  let isOpen: boolean;

  beforeAll(async () => {
    setVariables({ AWS_ACCESS_KEY_ID: 'AKIAOPERATOR', AWS_SECRET_ACCESS_KEY: 'secret' });
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const parameters = new URLSearchParams(body);
        const key = /Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1] ?? '';
        // The trust policy has the condition: only ids that a tenant has are accepted.
        if (!isOpen && parameters.get('ExternalId')?.startsWith('not-'))
          return void response.writeHead(403, { 'content-type': 'text/xml' }).end(stsError('AccessDenied'));
        if (parameters.get('Action') === 'AssumeRole') assumed.push(parameters);
        else keys.push(key);
        const [status, text] = parameters.get('Action') === 'AssumeRole' ? sts(assumed.length) : ec2(key);
        response.writeHead(status, { 'content-type': 'text/xml' }).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    jest.restoreAllMocks();
    return new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    [assumed, keys, role, isOpen] = [[], [], ROLE, false];
    sts = (count) => [200, sessionXml(count, Date.now() + HOUR)];
    ec2 = () => [200, VPCS];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const connection = () => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { endpoint, permits: { take: async () => undefined } };
  };
  it('are denied when the role accepts another external id, also if it has the right one', async () => {
    isOpen = true;
    const keysOf = roles().credentialsOf(AT.account, AT.region);

    await expect(keysOf()).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('no condition on sts:ExternalId') as string,
    });
    expect(assumed.map((one) => one.get('ExternalId'))).toEqual([ROLE.external_id, expect.stringMatching(/^not-/)]);
  });

  const roles = () => new AwsRoles(connection(), { find: async () => role });
  const pool = () => {
    const { credentialsOf, keysRefused } = roles();
    return new AwsClientPool({ ...connection(), credentialsOf, keysRefused });
  };
  const look = async (clients: AwsClientPool, at = AT): Promise<unknown> => (await clients.of(at)).ec2.describeVpcs({});
  const refused = (call: Promise<unknown>): Promise<CloudError> =>
    call.then(
      () => Promise.reject(new TypeError('the call was not refused')),
      (error: CloudError) => error,
    );

  it('come from the role of the tenant with its external id, once for concurrent and later calls', async () => {
    const clients = pool();

    await Promise.all([look(clients), look(clients), look(clients)]);
    await look(clients);

    expect(assumed.map((call) => [call.get('RoleArn'), call.get('ExternalId')])).toEqual([
      [ROLE.identity_arn, ROLE.external_id],
    ]);
    expect(keys).toEqual(Array(4).fill('ASIAKEY1'));
  });

  it('come from one call for concurrent clients', async () => {
    const take = roles().credentialsOf(AT.account, AT.region);

    const credentials = await Promise.all([take(), take(), take()]);

    expect(credentials.map(({ accessKeyId }) => accessKeyId)).toEqual(Array(3).fill('ASIAKEY1'));
    expect(assumed).toHaveLength(1);
  });

  it('are other ones for another tenant and for another region', async () => {
    const clients = pool();

    await look(clients);
    await look(clients, { ...AT, account: '111122223333/8' });
    await look(clients, { ...AT, region: 'eu-west-1' });

    expect(keys).toEqual(['ASIAKEY1', 'ASIAKEY2', 'ASIAKEY3']);
  });

  it('are replaced five minutes before their end', async () => {
    const start = Date.now();
    stopClock(start);
    const clients = pool();

    await look(clients);
    jest.setSystemTime(start + 54 * MINUTE);
    await look(clients);
    jest.setSystemTime(start + 56 * MINUTE);
    await look(clients);

    expect(keys).toEqual(['ASIAKEY1', 'ASIAKEY1', 'ASIAKEY2']);
  });

  it.each(['ExpiredToken', 'RequestExpired', 'UnauthorizedOperation', 'AuthFailure'])(
    'are replaced once after AWS says %s to concurrent calls',
    async (code) => {
      const clients = pool();
      await look(clients);
      // A call that began in the same millisecond as the keys.
      await new Promise((resolve) => setTimeout(resolve, 5));
      ec2 = (key) => (key === 'ASIAKEY1' ? [400, ec2Error(code)] : [200, VPCS]);

      await Promise.all([refused(look(clients)), refused(look(clients)), refused(look(clients))]);
      await Promise.all([look(clients), look(clients)]);

      expect(assumed).toHaveLength(2);
      expect(keys.slice(-2)).toEqual(['ASIAKEY2', 'ASIAKEY2']);
    },
  );

  it('stay when AWS refuses a call that began before them', async () => {
    const { credentialsOf, keysRefused } = roles();
    const take = credentialsOf(AT.account, AT.region);
    await take();

    keysRefused(AT.account, AT.region, Date.now() - 1_000);

    await take();
    expect(assumed).toHaveLength(1);
  });

  it.each([
    ['a role that AWS refuses', 403, stsError('AccessDenied'), /requires another external id/],
    ['a region that is not enabled', 403, stsError('RegionDisabledException'), /region is not enabled/],
    ['a role of another account', 200, sessionXml(1, Date.now() + HOUR, '999988887777'), /not one of the account 1111/],
  ])('are denied with a plain sentence for %s, and not asked again at once', async (_what, status, body, sentence) => {
    sts = () => [status, body];
    const clients = pool();

    const errors = [await refused(look(clients)), await refused(look(clients))];

    for (const { refusal, message } of errors) {
      expect(refusal).toEqual({ code: 'denied', actions: ['sts:AssumeRole'] });
      expect(message).toMatch(sentence);
      expect(message).not.toContain('999988887777');
    }
    expect(assumed).toHaveLength(1);
    expect(keys).toEqual([]);
  });

  it('are denied without a role, and tried again when the role is back', async () => {
    stopClock();
    role = null;
    const clients = pool();
    expect((await refused(look(clients))).message).toMatch(/no deployment of the organization gives Landlord a role/);

    role = ROLE;
    jest.setSystemTime(Date.now() + 11_000);
    await look(clients);

    expect(keys).toEqual(['ASIAKEY1']);
  });

  it.each([
    ['HTML', 200, '<html><body>Welcome</body></html>'],
    ['an empty answer', 200, ''],
    ['an answer that is cut', 200, sessionXml(1, Date.now() + HOUR).slice(0, 300)],
    ['an answer without keys', 200, '<AssumeRoleResponse><AssumeRoleResult/></AssumeRoleResponse>'],
    ['a failure of a proxy', 502, '<html><body>Bad gateway</body></html>'],
  ])('are unavailable after %s, and come with the next call', async (_what, status, body) => {
    sts = (count) => (count === 1 ? [status, body] : [200, sessionXml(count, Date.now() + HOUR)]);
    const clients = pool();

    expect((await refused(look(clients))).refusal).toEqual({ code: 'unavailable' });
    await look(clients);

    expect(keys).toEqual(['ASIAKEY2']);
  });
});
