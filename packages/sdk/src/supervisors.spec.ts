import { cut, json, ScriptedServer } from '../test/scripted-server.fixture.js';
import { ConnectionError, createClient, UnknownSupervisorError, type Landlord } from './index.js';

type Given = [id: number, supervisor_url: string | null];
const structure = (...deployments: Given[]) =>
  json(200, {
    divisions: [
      { environments: [{ deployments: deployments.map(([id, supervisor_url]) => ({ id, supervisor_url })) }] },
    ],
  });
const EMPTY = json(200, []);

describe('The Supervisor of a request', () => {
  let [main, first, second]: ScriptedServer[] = [];
  let client: Landlord;
  beforeEach(async () => {
    [main, first, second] = await Promise.all([ScriptedServer.start(), ScriptedServer.start(), ScriptedServer.start()]);
    client = createClient({ url: main?.url ?? '', apiKey: 'key', tenantId: 1, retries: 0 });
  });
  afterEach(() => Promise.all([main, first, second].map(async (one) => one?.stop())));
  const lines = (server: ScriptedServer | undefined) => server?.seen.map(({ line }) => line);
  const urls = () => [first?.url ?? '', second?.url ?? ''] as const;

  it('is the one that the main API names for the deployment, and is asked for once', async () => {
    const [one, two] = urls();
    main?.script(structure([7, one], [8, two]));
    first?.script(EMPTY, EMPTY);
    second?.script(EMPTY);

    for (const deployment_id of [7, 8, 7]) await client.accessRules.list({ deployment_id });

    expect(lines(main)).toEqual(['GET /tenants/1/structure']);
    expect(lines(first)).toEqual(Array(2).fill('GET /deployments/7/access_rules'));
    expect(lines(second)).toEqual(['GET /deployments/8/access_rules']);
  });

  it('is known after the caller has read the structure', async () => {
    const [one] = urls();
    main?.script(structure([7, one]));
    first?.script(EMPTY);

    await client.tenants.getStructure();
    await client.accessRules.list({ deployment_id: 7 });

    expect(lines(main)).toEqual(['GET /tenants/1/structure']);
    expect(lines(first)).toEqual(['GET /deployments/7/access_rules']);
  });

  it('is asked for again after the deployment was not there', async () => {
    const [one, two] = urls();
    main?.script(structure([7, one]), structure([7, two]));
    first?.script(cut);
    second?.script(EMPTY);

    await expect(client.accessRules.list({ deployment_id: 7 })).rejects.toBeInstanceOf(ConnectionError);
    await client.accessRules.list({ deployment_id: 7 });

    expect(lines(second)).toEqual(['GET /deployments/7/access_rules']);
  });

  it('is the only one of the tenant for a request without a deployment', async () => {
    const [one, two] = urls();
    main?.script(structure([7, one], [8, one], [9, null]), structure([7, one], [8, two]), structure());
    first?.script(json(200, { items: [], page: 1, total_results: 0, total_pages: 0 }));

    await client.runtimeOperations.list();
    expect(lines(first)).toEqual(['GET /tenants/1/operations?page=1']);
    await expect(Promise.resolve(client.runtimeOperations.list())).rejects.toThrow(`${one}, ${two}`);
    await expect(Promise.resolve(client.runtimeOperations.list())).rejects.toThrow('Set supervisorUrl');
  });

  it('is unknown for a deployment that no Supervisor serves, and never gets the key without https', async () => {
    main?.script(structure([7, null]));
    await expect(client.accessRules.list({ deployment_id: 7 })).rejects.toBeInstanceOf(UnknownSupervisorError);

    const asked: string[] = [];
    const secure = createClient({
      ...{ url: 'https://main.example.com', apiKey: 'key', tenantId: 1 },
      fetch: async (url) => {
        asked.push(url instanceof Request ? url.url : String(new URL(url)));
        const deployments = [
          { id: 7, supervisor_url: 'http://s.example.com' },
          { id: 8, supervisor_url: 'https://s.example.com' },
        ];
        return Response.json(asked.length > 1 ? [] : { divisions: [{ environments: [{ deployments }] }] });
      },
    });
    await expect(secure.accessRules.list({ deployment_id: 7 })).rejects.toThrow('http://s.example.com has no https');
    await secure.accessRules.list({ deployment_id: 8 });
    expect(asked).toEqual([
      'https://main.example.com/tenants/1/structure',
      'https://s.example.com/deployments/8/access_rules',
    ]);
  });
});
