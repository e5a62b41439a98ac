import { cut, json, problem, ScriptedServer } from '../test/scripted-server.fixture.js';
import { createClient } from './index.js';

const DIVISION = { name: 'one' };
const CREATED = json(201, { id: 7 });

describe('Work in the way of a request', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await ScriptedServer.start();
  });
  afterAll(() => server.stop());

  it.each(['state_conflict', 'idempotent_request_in_progress'])(
    'waits for other work longer than it repeats failures: %s',
    async (code) => {
      const refusal = problem(409, code, {
        retryable: true,
        retryAfter: 0,
        ...(code === 'state_conflict' && { operation_id: 5 }),
      });
      const waits: string[] = [];
      const patient = createClient({
        ...{ url: server.url, apiKey: 'key', tenantId: 1 },
        onWait: ({ code: reason }) => waits.push(reason),
      });
      server.script(refusal, refusal, cut, refusal, refusal, cut, refusal, CREATED);

      expect(await patient.divisions.create(DIVISION)).toMatchObject({ id: 7 });
      expect(waits).toEqual(Array(5).fill(code));

      const soon = problem(409, code, {
        retryable: true,
        retryAfter: 1,
        ...(code === 'state_conflict' && { operation_id: 5 }),
      });
      server.script(soon, CREATED);
      await expect(patient.divisions.create(DIVISION, { patienceMs: 900 })).rejects.toMatchObject({ code });
      expect(server.seen).toHaveLength(1);

      server.script(refusal, CREATED);
      await expect(patient.divisions.create(DIVISION, { retries: 0 })).rejects.toMatchObject({ code });
      expect(server.seen).toHaveLength(1);
    },
  );
});
