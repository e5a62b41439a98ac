import { cut, json, page, problem, ScriptedServer, stream } from '../test/scripted-server.fixture.js';
import {
  createClient,
  NotFoundError,
  OperationFailedError,
  ServerError,
  TimeoutError,
  type Landlord,
} from './index.js';

const event = (id: number, status = 'running'): string =>
  `id: ${id}\ndata: ${JSON.stringify({ step: `step-${id}`, status })}\n\n`;
const END = json(204, null);
const operation = (status: string) => json(200, { id: 5, type: 'provision_deployment', status, reason: 'no capacity' });
/** Without it, the client waits a second before it opens a stream again. */
const SOON = 'retry: 1\n\n';

describe('A stream', () => {
  let server: ScriptedServer;
  let client: Landlord;
  beforeAll(async () => {
    server = await ScriptedServer.start();
    client = createClient({ url: server.url, apiKey: 'key', tenantId: 1, retries: 0 });
  });
  afterAll(() => server.stop());
  const lastIds = () => server.seen.map(({ headers }) => headers['last-event-id']);
  async function received(options = {}): Promise<string[]> {
    const steps: string[] = [];
    for await (const { id, data } of client.operations.streamEvents({ operation_id: 5 }, options))
      steps.push(`${id} ${data.step}`);
    return steps;
  }

  it('continues after the last event when the connection breaks, also within an event', async () => {
    const half = event(3).slice(0, -12);
    server.script(
      stream(SOON + event(1) + event(2) + half, 'is cut'),
      stream(SOON),
      cut,
      stream(event(3) + event(4)),
      END,
    );

    expect(await received()).toEqual(['1 step-1', '2 step-2', '3 step-3', '4 step-4']);
    expect(lastIds()).toEqual([undefined, '2', '2', '2', '4']);
  });

  it('understands all line ends, comments, long events, and ids from the caller', async () => {
    const data = { step: 'é'.repeat(100_000) };
    server.script(stream(`: hello\r\nretry: 1\r\n\r\nid:8\r\nevent: x\r\ndata:${JSON.stringify(data)}\r\n\r\n`), END);

    expect(await received({ lastEventId: '7' })).toEqual([`8 ${data.step}`]);
    expect(lastIds()).toEqual(['7', '8']);
  });

  it('is opened again after a time without events', async () => {
    server.script(stream(SOON + event(1), 'stays open'), stream(event(2)), END);

    expect(await received({ idleMs: 100 })).toEqual(['1 step-1', '2 step-2']);
    expect(lastIds()).toEqual([undefined, '1', '2']);
  });

  it('ends with an error after several attempts without an event, and at once after a refusal', async () => {
    server.script(stream(SOON + event(1)), cut, problem(503, 'x', { retryable: true, retryAfter: 0 }), END);
    await expect(received({ retries: 1 })).rejects.toBeInstanceOf(ServerError);
    expect(server.seen).toHaveLength(3);

    server.script(stream(SOON + event(1)), problem(404, 'operation_not_found'));
    await expect(received()).rejects.toBeInstanceOf(NotFoundError);
    expect(server.seen).toHaveLength(2);
  });

  it('ends at once with an error that names an answer without events, and without the query', async () => {
    server.script(page(200, '<html>Sign in to the Wi-Fi</html>'));
    const refused = expect(received()).rejects;
    await refused.toMatchObject({ name: 'UnexpectedAnswerError', status: 200 });
    expect(server.seen).toHaveLength(1);

    server.script(stream('id: 1\ndata: {"step":\n\n'));
    await expect(received()).rejects.toMatchObject({ name: 'UnexpectedAnswerError' });
    expect(server.seen).toHaveLength(1);
  });

  it('is closed when the caller leaves the loop', async () => {
    let isClosed: Promise<void> | undefined;
    server.script((response) => {
      isClosed = new Promise((resolve) => response.on('close', resolve));
      stream(event(1), 'stays open')(response);
    });
    for await (const { id } of client.operations.streamEvents({ operation_id: 5 })) if (id === '1') break;

    await isClosed;
  });

  describe('of an operation', () => {
    it('shows each step of a wait, which ends with the operation', async () => {
      server.script(stream(SOON + event(1), 'is cut'), stream(event(2, 'succeeded')), END, operation('succeeded'));
      const steps: string[] = [];

      const ended = await client.operation(5).wait({ onEvent: ({ step }) => steps.push(step) });

      expect(ended).toMatchObject({ id: 5, status: 'succeeded' });
      expect(steps).toEqual(['step-1', 'step-2']);
    });

    it.each(['failed', 'cancelled'])('says why the operation has %s', async (status) => {
      server.script(END, operation(status));

      const error = await client
        .operation(5)
        .wait()
        .catch((thrown: unknown) => thrown);

      expect(error).toBeInstanceOf(OperationFailedError);
      expect(error).toMatchObject({ operation: { status } });
      expect((error as Error).message).toContain('no capacity');
    });

    it('goes on when a stream ends before the operation', async () => {
      server.script(stream(SOON + event(1)), END, operation('running'), END, operation('succeeded'));

      await expect(client.operation(5).wait()).resolves.toMatchObject({ status: 'succeeded' });
      expect(lastIds()).toEqual([undefined, '1', undefined, '1', undefined]);
    });

    it('ends its wait after the time of the caller, and at the wish of the caller', async () => {
      server.script(stream(event(1), 'stays open'));
      await expect(client.operation(5).wait({ timeoutMs: 100 })).rejects.toThrow(TimeoutError);

      const wish = new AbortController();
      server.script(stream(event(1), 'stays open'));
      const waiting = client
        .operation(5)
        .wait({ signal: wish.signal, onEvent: () => wish.abort(new RangeError('enough')) });
      await expect(waiting).rejects.toThrow(new RangeError('enough'));
    });

    it('is in the answer of the request that starts it, which stays plain JSON', async () => {
      const accepted = { deployment_id: 3, environment_id: 2, operation_id: 5 };
      server.script(json(202, accepted, { 'ld-operation': '5' }), END, operation('succeeded'));
      const order = { division_id: 1, environment_name: 'dev', cloud: 'aws', region: 'us-east-1' } as const;

      const answer = await client.deployments.createStarter(order);

      expect(JSON.parse(JSON.stringify(answer))).toEqual(accepted);
      expect(Object.keys(answer)).not.toContain('operation');
      await answer.operation.wait();
      expect(server.seen.slice(1).map(({ line }) => line)).toEqual([
        'GET /tenants/1/operations/5/events',
        'GET /tenants/1/operations/5',
      ]);
    });

    it('of a Supervisor is at this Supervisor, and the ids of the answer are in its headers', async () => {
      const headers = { 'ld-operation': '5', 'ld-backup': '9', 'ld-request': '1' };
      const regional = createClient({
        url: 'http://127.0.0.1:1',
        apiKey: 'key',
        tenantId: 1,
        supervisorUrl: server.url,
      });
      server.script(json(204, null, headers), END, operation('succeeded'));

      const backup = await regional.backups.create({ deployment_id: 3, name: 'x' });

      expect({ ...backup }).toEqual({ backup_id: 9 });
      expect(backup.operation.app).toBe('supervisor');
      await backup.operation.wait();
    });
  });
});

describe('A list in pages', () => {
  let server: ScriptedServer;
  let client: Landlord;
  const sheet = (number: number, of: number, ...ids: number[]) =>
    json(200, { items: ids.map((id) => ({ id })), page: number, total_results: 5, total_pages: of });
  beforeAll(async () => {
    server = await ScriptedServer.start();
    client = createClient({ url: server.url, apiKey: 'key', retries: 0 });
  });
  afterAll(() => server.stop());

  it('is one page when it is awaited, and reads the pages that a loop needs', async () => {
    server.script(sheet(2, 3, 3, 4));
    expect((await client.tenants.list({ page: 2, results: 2 })).items.map(({ id }) => id)).toEqual([3, 4]);

    server.script(sheet(1, 3, 1, 2), sheet(2, 3, 3, 4), sheet(3, 3, 5));
    const ids: number[] = [];
    for await (const { id } of client.tenants.list({ results: 2 })) ids.push(id);
    expect(ids).toEqual([1, 2, 3, 4, 5]);
    expect(server.seen.map(({ line }) => line)).toEqual([1, 2, 3].map((one) => `GET /tenants?page=${one}&results=2`));

    server.script(sheet(1, 3, 1, 2));
    for await (const { items } of client.tenants.list().pages()) if (items.length > 0) break;
    expect(server.seen).toHaveLength(1);

    server.script(sheet(1, 0));
    for await (const { id } of client.tenants.list()) throw new Error(`The empty list has ${String(id)}.`);
  });

  it('follows the links to the end, also where the number of pages changes meanwhile', async () => {
    const linked = (number: number, next: string | null, ...ids: number[]) =>
      json(
        200,
        { items: ids.map((id) => ({ id })), page: number, total_results: 2, total_pages: 1 },
        { link: ['</tenants?page=1>; rel="first"', ...(next ? [`</tenants?${next}>; rel="next"`] : [])].join(', ') },
      );
    server.script(linked(1, 'page=2&cursor=W25', 1, 2), linked(2, 'page=3&cursor=X%3D', 3), linked(3, null));

    const ids: number[] = [];
    for await (const { id } of client.tenants.list({ results: 2, sort: 'name' })) ids.push(id);

    expect(ids).toEqual([1, 2, 3]);
    expect(server.seen.map(({ line }) => line)).toEqual([
      'GET /tenants?page=1&results=2&sort=name',
      'GET /tenants?page=2&results=2&cursor=W25&sort=name',
      'GET /tenants?page=3&results=2&cursor=X%3D&sort=name',
    ]);
  });

  it('throws the error of a later page', async () => {
    server.script(sheet(1, 2, 1), page(502, 'bad gateway'));
    const ids: number[] = [];

    const loop = (async () => {
      for await (const { id } of client.tenants.list()) ids.push(id);
    })();

    await expect(loop).rejects.toMatchObject({ status: 502 });
    expect(ids).toEqual([1]);
  });
});
