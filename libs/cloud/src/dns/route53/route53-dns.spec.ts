import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { setVariables } from '@libs/testing/basics';
import { Route53Dns } from './route53-dns.js';

const FQDN = 'd-1.us-east-1.aws.names.test';
const OWNER = { installation: 'one', deployment_id: 7 };
const NS = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';
const CHANGED = `<ChangeResourceRecordSetsResponse ${NS}><ChangeInfo><Id>/change/C1</Id><Status>PENDING</Status><SubmittedAt>2026-11-25T00:00:00Z</SubmittedAt></ChangeInfo></ChangeResourceRecordSetsResponse>`;
const errorXml = (code: string) =>
  `<ErrorResponse ${NS}><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`;
const listXml = (records: [name: string, type: string, value: string][]) =>
  `<ListResourceRecordSetsResponse ${NS}><ResourceRecordSets>${records
    .map(
      ([name, type, value]) =>
        `<ResourceRecordSet><Name>${name}.</Name><Type>${type}</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>${value}</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>`,
    )
    .join(
      '',
    )}</ResourceRecordSets><IsTruncated>false</IsTruncated><MaxItems>20</MaxItems></ListResourceRecordSetsResponse>`;

type Answer = [status: number, body: string, type?: string];

/** Answers as AWS writes them, read by the real SDK. */
describe('The driver route53', () => {
  let server: Server;
  let changes: string[];
  let signers: Set<string>;
  let list: () => Answer;
  let change: (count: number) => Answer;
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        signers.add(/Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1] ?? '');
        if (request.method === 'POST') changes.push(body);
        const [status, text, type = 'text/xml'] = request.method === 'POST' ? change(changes.length) : list();
        response.writeHead(status, { 'content-type': type }).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    [changes, signers] = [[], new Set()];
    list = () => [200, listXml([])];
    change = () => [200, CHANGED];
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const KEYS = { accessKeyId: 'AKIANAMES', secretAccessKey: 'secret' };
  const dns = (keys: typeof KEYS | null = KEYS) =>
    new Route53Dns({
      ...{ zoneId: 'Z1', zone: 'names.test', installation: 'one', keys: keys ?? undefined },
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
  const ownRecord: [string, string, string] = [`_landlord.${FQDN}`, 'TXT', '"heritage=landlord,installation=one"'];

  it('signs with its own keys, or with those that the SDK finds', async () => {
    setVariables({ AWS_ACCESS_KEY_ID: 'AKIAOFTHECLOUD', AWS_SECRET_ACCESS_KEY: 'secret' });

    await dns().ensure(FQDN, '192.0.2.1', OWNER);
    expect([...signers]).toEqual(['AKIANAMES']);
    await dns(null).destroy(FQDN);
    expect([...signers]).toEqual(['AKIANAMES', 'AKIAOFTHECLOUD']);
  });

  it('reads again when somebody has changed the records in between', async () => {
    list = () => [
      200,
      listXml([ownRecord, [FQDN, 'CNAME', changes.length === 0 ? 'lb-1.example.net' : 'lb-2.example.net']]),
    ];
    change = (count) => (count === 1 ? [400, errorXml('InvalidChangeBatch')] : [200, CHANGED]);

    await dns().ensure(FQDN, '192.0.2.1', OWNER);

    expect(changes).toHaveLength(2);
    expect(changes[0]).toContain('lb-1.example.net');
    expect(changes[1]).toContain('lb-2.example.net');
  });

  it('takes it as success when the name was removed in between', async () => {
    list = () => [200, listXml(changes.length === 0 ? [ownRecord, [FQDN, 'A', '192.0.2.1']] : [])];
    change = () => [400, errorXml('InvalidChangeBatch')];

    await dns().destroy(FQDN);

    expect(changes).toHaveLength(1);
    expect(changes[0]).toContain('<Action>DELETE</Action>');
  });

  it('gives up when Route 53 refuses each change', async () => {
    change = () => [400, errorXml('InvalidChangeBatch')];

    await expect(dns().ensure(FQDN, '192.0.2.1', OWNER)).rejects.toMatchObject({ refusal: { code: 'invalid' } });
    expect(changes).toHaveLength(4);
  });

  it.each([
    [400, 'Throttling', { code: 'throttled', retry_after_ms: 2_000 }],
    [400, 'PriorRequestNotComplete', { code: 'throttled', retry_after_ms: 2_000 }],
    [403, 'AccessDenied', { code: 'denied', actions: ['route53:ChangeResourceRecordSets'] }],
    [403, 'InvalidClientTokenId', { code: 'denied', actions: ['route53:ChangeResourceRecordSets'] }],
    [403, 'ExpiredToken', { code: 'unavailable' }],
    [500, 'InternalFailure', { code: 'unavailable' }],
  ])('%d %s is %j', async (status, code, refusal) => {
    change = () => [status, errorXml(code)];

    await expect(dns().ensure(FQDN, '192.0.2.1', OWNER)).rejects.toMatchObject({ refusal });
  });

  it.each<[string, Answer]>([
    ['HTML', [200, '<html><body>Welcome</body></html>', 'text/html']],
    ['a failure of a proxy', [502, '<html><body>Bad gateway</body></html>', 'text/html']],
    ['an empty answer', [200, '']],
    ['an answer that is cut', [200, listXml([ownRecord]).slice(0, 150)]],
  ])('is unavailable after %s, and changes nothing', async (_what, answer) => {
    list = () => answer;

    for (const call of [dns().ensure(FQDN, '192.0.2.1', OWNER), dns().destroy(FQDN), dns().describe([FQDN])])
      await expect(call).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    expect(changes).toEqual([]);
  });

  it('stops a call with the reason of its signal', async () => {
    const abort = new AbortController();
    const reason = new Error('the lease was lost');
    change = () => {
      abort.abort(reason);
      return [200, CHANGED];
    };

    const call = dns().ensure(FQDN, '192.0.2.1', OWNER, abort.signal);

    await expect(call).rejects.toBe(reason);
  });
});
