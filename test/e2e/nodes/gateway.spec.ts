import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { TestCloud } from '@libs/testing';
import { newNode, playedDeployment } from './played-nodes.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const status = (epoch: number): object => ({
  epoch,
  seq: 1,
  boot_id: 'b',
  agent_version: '0',
  observed: { timeline: 0, generation: 0, hash: '' },
  runtimes: [],
  stats: {},
  gate: { mode: 'inline', generation: 0, clients: 0 },
});

/** The test plays an agent against the real gateway. */
describe('The gateway', () => {
  let cloud: TestCloud;
  let gateway: string;

  beforeAll(async () => {
    cloud = await TestCloud.start();
    gateway = `http://127.0.0.1:${cloud.supervisorEnv['GATEWAY_PORT']}`;
    await playedDeployment(cloud);
  });
  afterAll(() => cloud.stop());

  it('registers an agent with its one-time token, again after a lost answer, but not after its first call', async () => {
    const { node, token } = await newNode(cloud);
    const secret = randomBytes(24).toString('base64url');
    const body = { node_id: node, token, credential_hash: sha256(secret), agent_version: '0', boot_id: 'b' };

    const first = await post('/agent/v1/register', body);
    const lost = await post('/agent/v1/register', body);
    const used = await post('/agent/v1/status', status(1), secretOf(node, secret));
    const late = await post('/agent/v1/register', { ...body, credential_hash: sha256('thief') });

    expect([first.status, lost.status, used.status, late.status]).toEqual([200, 200, 200, 401]);
    expect(await first.json()).toMatchObject({ node_id: node, epoch: 1, interval_ms: expect.any(Number) });
    const [row] = await cloud.rows(
      'select bootstrap_token, bootstrap_token_hash, credential_confirmed from nodes where id = $1',
      [node],
    );
    expect(row).toEqual({ bootstrap_token: null, bootstrap_token_hash: null, credential_confirmed: true });
  });

  it('registers no agent with a one-time token that has expired', async () => {
    const { node, token } = await newNode(cloud);
    const body = { node_id: node, token, credential_hash: sha256('late'), agent_version: '0', boot_id: 'b' };
    await cloud.rows('update nodes set bootstrap_expires_at = now() where id = $1', [node]);

    const late = await post('/agent/v1/register', body);
    await cloud.rows(`update nodes set bootstrap_expires_at = now() + interval '1 minute' where id = $1`, [node]);
    const inTime = await post('/agent/v1/register', body);

    expect([late.status, inTime.status]).toEqual([401, 200]);
  });

  it('refuses API keys, and the APIs refuse the credentials of agents', async () => {
    const { node, secret } = await registered();

    const withKey = await fetch(`${gateway}/agent/v1/desired`, { headers: { 'ld-api-key': cloud.key } });
    const withKeyAsBearer = await post('/agent/v1/status', status(1), cloud.key);
    const agentAtApi = await cloud.runtime(secretOf(node, secret)).get('/deployments/1');
    const apiAtGateway = await fetch(`${gateway}/tenants/1`, { headers: { 'ld-api-key': cloud.key } });

    expect([withKey.status, withKeyAsBearer.status, apiAtGateway.status]).toEqual([401, 401, 404]);
    expect(agentAtApi).toBeProblem('unauthenticated');
  });

  it.each([
    ['a wrong secret', (node: number) => `${node}.${'x'.repeat(32)}`],
    ['another node', (node: number) => `${node + 999}.${'x'.repeat(32)}`],
    ['no form at all', () => 'nonsense'],
  ])('refuses %s', async (_, credential) => {
    const { node } = await registered();
    expect((await post('/agent/v1/status', status(1), credential(node))).status).toBe(401);
  });

  it('fences a replaced node', async () => {
    const { node, secret } = await registered();
    await cloud.rows(`update nodes set epoch = 2 where id = $1`, [node]);
    await cloud.rows(`select pg_notify('landlord_agents', $1)`, [String(node)]);

    const answer = await eventuallyStatus(() => post('/agent/v1/status', status(1), secretOf(node, secret)), 409);

    expect(await answer.json()).toMatchObject({ code: 'stale_epoch' });
    expect((await post('/agent/v1/status', status(2), secretOf(node, secret))).status).toBe(200);
  });

  it('holds a request for the document open, and ends it when the same node sends a newer request', async () => {
    const { node, secret } = await registered();
    const leaving = new AbortController();
    const poll = (wait: number) =>
      fetch(`${gateway}/agent/v1/desired?wait=${wait}`, {
        headers: { authorization: `Bearer ${secretOf(node, secret)}` },
        signal: leaving.signal,
      });

    const nothing = await poll(0);
    // Two parallel requests in any order: the later one ends the earlier one and stays open.
    const polls = [poll(20), poll(20)];
    const ended = await Promise.race(polls);

    expect(nothing.status).toBe(204);
    expect(nothing.headers.get('ld-server-time')).toMatch(/Z$/);
    expect(ended.status).toBe(409);
    leaving.abort();
    await Promise.allSettled(polls);
  });

  it.each([
    ['a body that is no JSON', 'nonsense', 400],
    ['a status without an epoch', '{}', 400],
    ['a status that is too large', JSON.stringify({ ...status(1), boot_id: 'x'.repeat(300_000) }), 413],
  ])('refuses %s', async (_, body, refusal) => {
    const { node, secret } = await registered();
    const answer = await fetch(`${gateway}/agent/v1/status`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretOf(node, secret)}` },
      body,
    });
    expect(answer.status).toBe(refusal);
  });

  describe('accepts log lines', () => {
    const line = (message: string) => ({ runtime: 'broker', level: 'info', at: Date.now(), message });
    const send = (node: number, secret: string, body: Buffer): Promise<Response> =>
      fetch(`${gateway}/agent/v1/logs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretOf(node, secret)}` },
        body: new Uint8Array(body),
      });
    const batch = (more: object): Buffer =>
      gzipSync(JSON.stringify({ epoch: 1, after: null, cursor: 'a', lines: [line('x')], ...more }));
    const stored = async (node: number): Promise<string[]> =>
      (
        await cloud.rows<{ message: string }>('select message from node_logs where node_id = $1 order by id', [node])
      ).map(({ message }) => message);

    it('once, and returns the cursor to continue from', async () => {
      const { node, secret } = await registered();
      const body = batch({ lines: [line('one'), line('two')] });
      const first = await send(node, secret, body);
      const again = await eventuallyStatus(() => send(node, secret, body), 200);

      expect(await first.json()).toMatchObject({ cursor: 'a', server_time: expect.any(String) });
      expect(await again.json()).toMatchObject({ cursor: 'a' });
      expect(await stored(node)).toEqual(['one', 'two']);
    });

    it('at most two batches a second', async () => {
      const { node, secret } = await registered();
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(node, secret, batch({}))));
      const statuses = answers.map(({ status }) => status).sort();

      expect(statuses.slice(0, 1)).toEqual([200]);
      expect(statuses.at(-1)).toBe(429);
      expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
    });

    it.each([
      ['what is not packed', Buffer.from('{}'), 400],
      ['a bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024)), 413],
      ['an unknown level', batch({ lines: [{ ...line('x'), level: 'loud' }] }), 400],
      ['a NUL', batch({ lines: [line('a\0b')] }), 400],
      ['too many lines', batch({ lines: Array.from({ length: 501 }, () => line('x')) }), 400],
      ['a replaced node', batch({ epoch: 9 }), 409],
    ])('but not %s', async (_, body, status) => {
      const { node, secret } = await registered();

      expect((await send(node, secret, body)).status).toBe(status);
      expect(await stored(node)).toEqual([]);
    });
  });

  async function registered(): Promise<{ node: number; secret: string }> {
    const { node, token } = await newNode(cloud);
    const secret = randomBytes(24).toString('base64url');
    await post('/agent/v1/register', {
      node_id: node,
      token,
      credential_hash: sha256(secret),
      agent_version: '0',
      boot_id: 'b',
    });
    return { node, secret };
  }

  function post(path: string, body: object, credential?: string): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      ...(credential && { authorization: `Bearer ${credential}` }),
    };
    return fetch(`${gateway}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
});

const secretOf = (node: number, secret: string): string => `${node}.${secret}`;

async function eventuallyStatus(call: () => Promise<Response>, wanted: number): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const answer = await call();
    if (answer.status === wanted || tries > 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
