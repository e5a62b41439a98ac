import { cut, json, page, problem, ScriptedServer, silence } from '../test/scripted-server.fixture.js';
import {
  ConflictError,
  ConnectionError,
  createClient,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnauthenticatedError,
  UnexpectedAnswerError,
  WrongUseError,
  type Landlord,
} from './index.js';

const DIVISION = { name: 'one' };
const CREATED = json(201, { id: 7 });

describe('A request', () => {
  let server: ScriptedServer;
  let client: Landlord;
  beforeAll(async () => {
    server = await ScriptedServer.start();
    client = createClient({ url: server.url, apiKey: 'key', tenantId: 1, timeoutMs: 10_000 });
  });
  afterAll(() => server.stop());
  const create = (options = {}) => client.divisions.create(DIVISION, options);
  const keys = (): (string | undefined)[] => server.seen.map(({ headers }) => headers['idempotency-key'] as string);

  it.each([
    ['a broken connection', cut],
    ['an overloaded server', problem(503, 'provider_unavailable', { retryable: true, retryAfter: 0 })],
    ['a full disk', problem(503, 'storage_full', { retryable: true, retryAfter: 0 })],
    ['a database that is away', problem(503, 'service_busy', { retryable: true, retryAfter: 0 })],
    ['a lost COMMIT', problem(503, 'service_busy', { retryable: true, retryAfter: 0, outcome: 'unknown' })],
    ['an error of the server', problem(500, 'internal_error', { retryable: true, retryAfter: 0 })],
    ['too many requests', problem(429, 'rate_limited', { retryable: true, retryAfter: 0 })],
    ['a proxy without its server', page(502, '<html>Bad gateway</html>')],
    [
      'the first request that still runs',
      problem(409, 'idempotent_request_in_progress', { retryable: true, retryAfter: 1 }),
    ],
  ])('is repeated under the same key after %s', async (_what, failure) => {
    server.script(failure, failure, CREATED);

    expect(await create()).toMatchObject({ id: 7 });

    expect(server.seen.map(({ line, body }) => [line, JSON.parse(body)])).toEqual(
      Array(3).fill(['POST /tenants/1/divisions', DIVISION]),
    );
    expect(keys()[0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(keys()).size).toBe(1);
  });

  it('is repeated under another key after a refusal, which the server keeps under its key', async () => {
    const refusal = problem(409, 'state_conflict', { retryable: true, retryAfter: 0, operation_id: 5 });
    server.script(refusal, CREATED);
    await create();
    expect(new Set(keys()).size).toBe(2);

    server.script(refusal, CREATED);
    await create({ idempotencyKey: 'mine' });
    expect(keys()).toEqual(['mine', 'mine']);
  });

  it('waits as long as the server asks, and does not wait for more than a minute', async () => {
    server.script(problem(429, 'rate_limited', { retryable: true, retryAfter: 1 }), CREATED);
    await create();
    const [first, second] = server.seen;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(995);

    server.script(problem(429, 'rate_limited', { retryable: true, retryAfter: 61 }), CREATED);
    await expect(create()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 61_000 });
    expect(server.seen).toHaveLength(1);
  });

  it('is not repeated when the server says that this does not help, or when a change could happen twice', async () => {
    server.script(problem(409, 'name_taken'), CREATED);
    await expect(create()).rejects.toBeInstanceOf(ConflictError);
    expect(server.seen).toHaveLength(1);

    server.script(cut, json(204, null));
    await expect(client.divisions.delete({ division_id: 7 })).rejects.toBeInstanceOf(ConnectionError);
    expect(server.seen.map(({ line }) => line)).toEqual(['DELETE /tenants/1/divisions/7']);

    server.script(problem(500, 'internal_error', { retryable: true }), json(204, null));
    await expect(client.divisions.delete({ division_id: 7 })).rejects.toBeInstanceOf(ServerError);
    expect(server.seen).toHaveLength(1);

    const unknown = { retryable: true, retryAfter: 0, outcome: 'unknown' };
    server.script(problem(503, 'service_busy', unknown), json(204, null));
    await expect(client.divisions.delete({ division_id: 7 })).rejects.toBeInstanceOf(ServerError);
    expect(server.seen).toHaveLength(1);

    for (const code of ['provider_unavailable', 'service_busy', 'storage_full']) {
      server.script(problem(503, code, { retryable: true, retryAfter: 0 }), json(204, null));
      await client.divisions.delete({ division_id: 7 });
      expect(server.seen).toHaveLength(2);
    }
  });

  it('is repeated as often as the caller says', async () => {
    server.script(cut, cut, cut, cut, CREATED);
    await expect(create()).rejects.toBeInstanceOf(ConnectionError);
    expect(server.seen).toHaveLength(3);

    server.script(cut, CREATED);
    await expect(create({ retries: 0 })).rejects.toBeInstanceOf(ConnectionError);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [400, InvalidRequestError],
    [401, UnauthenticatedError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [410, NotFoundError],
    [412, ConflictError],
    [429, RateLimitedError],
    [500, ServerError],
  ])('throws for status %i the error of its class', async (status, type) => {
    server.script(problem(status, 'a_code'));

    await expect(create()).rejects.toBeInstanceOf(type);
  });

  it('shows everything that is wrong with the input', async () => {
    const field_issues = [
      { path: '/name', code: 'too_long', reason: 'must have at most 100 characters' },
      { path: '/x', code: 'unknown_member', reason: 'is not known' },
    ];
    server.script(problem(400, 'validation_failed', { field_issues }));

    const error = await create().catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({
      status: 400,
      code: 'validation_failed',
      fieldIssues: field_issues,
      requestId: 'request-1',
    });
    expect((error as Error).name).toBe('InvalidRequestError');
    expect((error as Error).message).toBe(
      'It is validation_failed. (validation_failed)\n/name: must have at most 100 characters\n/x: is not known',
    );
  });

  it('names an answer that is not of Landlord', async () => {
    server.script(page(404, `<html>${'x'.repeat(500)}`));
    await expect(create()).rejects.toMatchObject({ name: 'UnexpectedAnswerError', status: 404 });

    server.script(page(200, '<html>Sign in to the Wi-Fi</html>'));
    await expect(create()).rejects.toBeInstanceOf(UnexpectedAnswerError);
    expect(server.seen).toHaveLength(1);
  });

  it('passes the error of a function that returns the key, and sends nothing', async () => {
    server.script();
    const error = new Error('The store of keys is locked.');
    const locked = createClient({ url: server.url, tenantId: 1, apiKey: () => Promise.reject(error) });

    await expect(locked.divisions.create(DIVISION)).rejects.toBe(error);
    expect(server.seen).toEqual([]);
  });

  it('shows no query in an error, because a query can have a one-time code', async () => {
    const place = { division_id: 1, environment_id: 2, deployment_id: 3, code: 'one-time-code' };
    for (const answer of [cut, page(404, 'not here'), page(200, 'no JSON')]) {
      server.script(answer);
      const error: unknown = await client.deployments.delete(place).catch((thrown: unknown) => thrown);

      expect(server.seen[0]?.line).toContain('code=one-time-code');
      expect(String(error)).toContain('/deployments/3');
      expect(String(error)).not.toContain('one-time-code');
    }
  });

  it('does not follow a redirect, which could carry the key to another host', async () => {
    const other = await ScriptedServer.start();
    server.script((response) => {
      response.writeHead(307, { location: `${other.url}/tenants/1/divisions` });
      response.end();
    });

    await expect(create({ retries: 0 })).rejects.toBeInstanceOf(ConnectionError);
    expect(other.seen).toEqual([]);
    await other.stop();
  });

  it('ends after its time, and at the wish of the caller', async () => {
    server.script(silence);
    await expect(create({ timeoutMs: 50, retries: 0 })).rejects.toBeInstanceOf(TimeoutError);

    const wish = new AbortController();
    server.script((response) => {
      void response;
      wish.abort(new RangeError('enough'));
    });
    await expect(create({ signal: wish.signal })).rejects.toThrow(new RangeError('enough'));
    expect(server.seen).toHaveLength(1);

    server.script(problem(503, 'provider_unavailable', { retryable: true, retryAfter: 50 }));
    const second = new AbortController();
    const waiting = create({
      signal: second.signal,
      onResponse: () => setTimeout(() => second.abort(new RangeError('now')), 20),
    });
    await expect(waiting).rejects.toThrow(new RangeError('now'));
  });

  it('uses the only tenant of the key when the client has none', async () => {
    const own = createClient({ url: server.url, apiKey: async () => 'later' });
    const tenants = (total: number) => json(200, { items: [{ id: 9 }], page: 1, total_results: total, total_pages: 1 });
    server.script(tenants(1), CREATED, CREATED);

    await own.divisions.create(DIVISION);
    await own.divisions.create(DIVISION);

    expect(server.seen.map(({ line }) => line)).toEqual([
      'GET /tenants',
      'POST /tenants/9/divisions',
      'POST /tenants/9/divisions',
    ]);
    expect(server.seen[0]?.headers['ld-api-key']).toBe('later');

    server.script(tenants(2));
    const several = createClient({ url: server.url, apiKey: 'key' });
    await expect(several.divisions.create(DIVISION)).rejects.toThrow('the caller has 2 tenants');
  });

  it('has the key without the line break at its end, and is not sent with a key that no header takes', async () => {
    const sent = server.seen.length;
    for (const apiKey of ['ld_first\nld_second', 'ld_\u0007', 'ld_\u009b', 'ld_é']) {
      const wrong = createClient({ url: server.url, apiKey, tenantId: 1 }).divisions.create(DIVISION);
      await expect(wrong).rejects.toThrow(WrongUseError);
      await expect(wrong).rejects.not.toThrow(/ld_/);
    }
    expect(server.seen).toHaveLength(sent);

    server.script(CREATED);
    await createClient({ url: server.url, apiKey: 'ld_key\r\n', tenantId: 1 }).divisions.create(DIVISION);
    expect(server.seen.at(-1)?.headers['ld-api-key']).toBe('ld_key');
  });
});
