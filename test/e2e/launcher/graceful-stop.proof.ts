import { eventually, TestCloud, type AppProcess } from '@libs/testing';

/** Long enough for the requests during the drain. */
const DRAIN_SECONDS = '4';

describe('A process that receives the signal to stop', () => {
  let cloud: TestCloud;
  let app: AppProcess;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    app = await cloud.another('main-api', { SHUTDOWN_DRAIN_SECONDS: DRAIN_SECONDS });
    await app.start();
  });
  afterAll(async () => {
    await app.stop();
    await cloud.stop();
  });

  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'ld-api-key': cloud.key, 'content-type': 'application/json', 'idempotency-key': 'the-same' };
    const answer = await fetch(`${app.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    await answer.text();
    return { status: answer.status, connection: answer.headers.get('connection'), headers: answer.headers };
  };
  const everyKind = async () => [
    await ask('GET', cloud.division),
    await ask('PUT', cloud.division, { description: 'written once' }),
    await ask('GET', `${cloud.division}/environments/987654`),
    await ask('GET', '/openapi.json'),
    await ask('GET', '/health/live'),
  ];

  it('keeps idle connections longer than load balancers do', async () => {
    const { headers } = await ask('GET', '/health/live');

    expect(headers.get('keep-alive')).toBe('timeout=65');
  });

  it('serves all requests while it drains, and closes each connection with its response', async () => {
    const before = await everyKind();
    expect(before.map(({ status }) => status)).toEqual([200, 204, 404, 200, 200]);
    expect(before.map(({ connection }) => connection)).toEqual(before.map(() => 'keep-alive'));

    const stopped = app.stop();
    await eventually('it says that it stops', async () => (await ask('GET', '/health/ready')).status === 503);
    const during = await everyKind();
    await stopped;

    expect(during.map(({ status }) => status)).toEqual([200, 204, 404, 200, 200]);
    expect(during[1]?.headers.get('idempotent-replayed')).toBe('true');
    expect(during.map(({ connection }) => connection)).toEqual(during.map(() => 'close'));
    await expect(ask('GET', '/health/live')).rejects.toThrow();
  });
});
