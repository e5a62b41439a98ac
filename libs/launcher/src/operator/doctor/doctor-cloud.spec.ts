import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { createTestDatabase, seedTestInstallation, setVariables } from '@libs/testing';
import { LauncherError } from '../../launcher-error.js';
import { doctorOfCloud, type CloudDoctorOptions } from './doctor-cloud.js';

const WHO =
  '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:aws:iam::123456789012:user/landlord</Arn><UserId>U</UserId></GetCallerIdentityResult></GetCallerIdentityResponse>';

describe('landlord doctor --cloud aws', () => {
  let server: Server;
  let answer: (action: string) => [status: number, body: string];
  let printed: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const [status, text] = answer(new URLSearchParams(body).get('Action') ?? '');
        response.writeHead(status, { 'content-type': 'text/xml' }).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    setVariables({
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: 'eu-west-1',
    });
    printed = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const doctor = (options: CloudDoctorOptions = {}) => doctorOfCloud('aws', { installation: 'mine', ...options });

  it('prints each finding with its remedy, and fails when a check fails', async () => {
    answer = (action) => (action === 'GetCallerIdentity' ? [200, WHO] : [502, '<html>Bad gateway</html>']);

    await expect(doctor()).rejects.toThrow(new LauncherError('1 of 2 checks failed.'));

    expect(printed).toMatch(/^ok {4}identity +account 123456789012, arn:aws:iam::123456789012:user\/landlord$/m);
    expect(printed).toMatch(/^fail {2}answers +AWS ec2:DescribeAvailabilityZones: /m);
    expect(printed).toContain('-> Try again.');
  });

  it('prints JSON', async () => {
    answer = () => [
      403,
      '<ErrorResponse><Error><Type>Sender</Type><Code>InvalidClientTokenId</Code><Message>The token is invalid.</Message></Error></ErrorResponse>',
    ];

    await expect(doctor({ json: true })).rejects.toThrow('1 of 1 checks failed.');

    expect(JSON.parse(printed)).toEqual([
      {
        ...{ check: 'identity', level: 'fail' },
        what: 'AWS does not accept the keys in eu-west-1: The token is invalid.',
        todo: expect.stringContaining('AWS_ACCESS_KEY_ID'),
      },
    ]);
  });

  it('prints the policy of the keys for the region and the installation, without a call', async () => {
    answer = () => {
      throw new TypeError('no call is expected');
    };

    await doctor({ policy: true, region: 'us-west-2' });

    const { Statement } = JSON.parse(printed) as { Statement: object[] };
    expect(JSON.stringify(Statement)).toContain('"aws:RequestTag/landlord:installation":"mine"');
    expect(JSON.stringify(Statement)).toContain('arn:aws:ec2:us-west-2:');
  });

  it('needs a region', async () => {
    setVariables({ AWS_REGION: '', AWS_DEFAULT_REGION: '' });

    await expect(doctor()).rejects.toThrow('Name the region: --region us-east-1, or AWS_REGION.');
  });

  it('takes the name of the installation from its database', async () => {
    const database = await createTestDatabase();
    await seedTestInstallation(database.url);
    setVariables({ DATABASE_URL: database.url, LANDLORD_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}` });

    await doctorOfCloud('aws', { policy: true });
    await database.drop();

    expect(printed).toMatch(/"aws:RequestTag\/landlord:installation": "[\w-]+"/);
    setVariables({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
    await expect(doctorOfCloud('aws', { policy: true })).rejects.toThrow(/Or name it: --installation <name>\./);
  });
});
