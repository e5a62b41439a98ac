import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabase, stopDatabase } from '@libs/launcher';
import { NodeDocumentsRepository } from '@libs/persistence/runtime';
import { eventually, TestCloud } from '@libs/testing';
import { runLandlord, type Said } from '../launcher/run-landlord.js';

const starter = { cloud: 'aws', region: 'us-east-1' };
const CHANGES = 10;

interface Seen {
  timeline: number;
  generation: number;
  observed_timeline: number;
  observed_generation: number;
}

/** One scenario in fixed order: a backup, ten changes, the loss of everything except the nodes, and the restore. */
describe('A cloud whose database is restored under running nodes', () => {
  const place = mkdtempSync(join(tmpdir(), 'landlord-backup-'));
  const backup = join(place, 'backup');
  let cloud: TestCloud;
  let deployment: number;
  let agents: number[];
  /** Generation of the first document of the node. The backup contains this document. */
  let born: number;

  beforeAll(async () => {
    cloud = await TestCloud.start({ ownDatabase: true });
    deployment = await create();
    born = (await seen()).generation;
  });
  afterAll(async () => {
    await cloud.stop();
    rmSync(place, { recursive: true, force: true });
  });

  it('is backed up while it runs, and accepts changes afterwards', async () => {
    const said = await landlord('backup', backup);
    for (let change = 1; change <= CHANGES; change += 1) await publishChange(change);
    await eventually('the agent has taken them all', async () => (await seen()).observed_generation === born + CHANGES);
    agents = await agentPids();

    expect(said).toEqual({ code: 0, output: expect.stringContaining('The backup does NOT contain the secret keys') });
    expect(await seen()).toMatchObject({ timeline: 1, generation: born + CHANGES });
  });

  it('can be restored on another machine when the backup contains its keys', async () => {
    const [whole, elsewhere] = [join(place, 'whole'), join(place, 'elsewhere')];
    const env = { LANDLORD_DATA_DIR: elsewhere };
    const saved = await landlord('backup', whole, '--with-keys');
    const restored = await runLandlord(env, 'restore', whole);
    await ensureDatabase({ dataDir: elsewhere });
    const { output } = await runLandlord(env, 'doctor');
    const keys = await runLandlord(env, 'ops', 'keys', 'issue', '--tenant', '1');
    await stopDatabase({ dataDir: elsewhere });

    expect([saved.code, restored.code, keys.code]).toEqual([0, 0, 0]);
    expect(output).toMatch(/^ok +key file +.*secret-keys, mode 0600$/m);
    expect(output).toMatch(/^ok +secret keys +all secrets use k1$/m);
    expect(output).toMatch(/^warn +destruction +on hold since/m);
    expect(await landlord('backup', whole)).toEqual({
      code: 1,
      output: expect.stringContaining('already contains a backup'),
    });
  });

  it('is not restored while one of its processes runs', async () => {
    expect(await landlord('restore', backup)).toEqual({ code: 1, output: expect.stringContaining('still runs') });
  });

  it('is restored, and the agents, which never stopped, converge on the older document', async () => {
    await Promise.all([cloud.mainApi.stop(), cloud.supervisor.stop()]);
    await cloud.database.drop();
    const said = await landlord('restore', backup);
    expect((await ensureDatabase({ dataDir: cloud.directory })).url).toBe(cloud.database.url);
    await Promise.all([cloud.mainApi.start(), cloud.supervisor.start()]);

    await eventually(
      'the agent has taken the restored document',
      async () => {
        const { timeline, observed_timeline, observed_generation } = await seen();
        return observed_timeline === timeline && observed_generation === born;
      },
      90_000,
    );

    expect(said).toEqual({
      code: 0,
      output: expect.stringMatching(/on timeline \d{10}.*[^]*landlord ops resume-destruction/),
    });
    expect(await seen()).toMatchObject({ timeline: expect.any(Number), generation: born });
    expect((await seen()).timeline).toBeGreaterThan(1_600_000_000);
    expect(await agentPids()).toEqual(agents);
    expect(await cloud.rows('select name from access_rules')).toEqual([{ name: 'global' }]);
  }, 120_000);

  it('answers as before, assigns new ids, and reports the restore as an incident', async () => {
    const { status, body } = await cloud.runtime().get(`/deployments/${deployment}`);
    const division = await cloud.main().put(`${cloud.division}`, { description: 'after the restore' });
    const ids = await cloud.rows<{ id: string }>(`select nextval(pg_get_serial_sequence('nodes', 'id')) as id`);
    const incidents = await landlord('ops', 'incidents', 'list');

    expect([status, body.status, body.nodes[0].status]).toEqual([200, 'initialized', 'running']);
    expect(division.status).toBeLessThan(300);
    expect(Number(ids[0]?.id)).toBeGreaterThan(1_000_000);
    expect(incidents.output).toContain('restored_from_backup');
  });

  it('destroys nothing and reports the reason until an operator resumes destruction', async () => {
    const accepted = await cloud.main().delete(`${cloud.environment}/deployments/${deployment}`);
    const operation = Number(accepted.headers.get('ld-operation'));
    const waiting = await eventually('the deletion waits', async () => {
      const { output } = await landlord('ops', 'operations', 'show', String(operation));
      return /waits for +destruction is on hold after a restore/.test(output) ? output : null;
    });
    const held = await landlord('ops', 'resume-destruction', '--list');
    expect(await agentPids()).toEqual(agents);

    const resumed = await landlord('ops', 'resume-destruction');

    const { body } = await cloud.main().get(`${cloud.tenant}/operations/${operation}?wait=50`);
    expect(waiting).toMatch(/step +destroying_resources/);
    expect(held.output).toMatch(new RegExp(`^Destruction is on hold since [^]*^${operation} +delete_deployment`, 'm'));
    expect(resumed.output).toContain('Destruction continues. These operations waited:');
    expect(body).toMatchObject({ status: 'succeeded' });
    expect(await cloud.nodeProcesses()).toEqual([]);
    expect((await landlord('ops', 'incidents', 'list')).output).toBe('No incident is open.\n');
  }, 120_000);

  function landlord(...args: string[]): Promise<Said> {
    const keys = cloud.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '';
    return runLandlord({ LANDLORD_DATA_DIR: cloud.directory, LANDLORD_SECRET_KEYS: keys }, ...args);
  }

  async function create(): Promise<number> {
    const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    const { body } = await cloud
      .main()
      .get(`${cloud.tenant}/operations/${accepted.headers.get('ld-operation')}?wait=50`);
    expect(body).toMatchObject({ status: 'succeeded' });
    return Number(accepted.headers.get('ld-deployment'));
  }

  /** Adds one access rule and publishes it to the node. */
  async function publishChange(count: number): Promise<void> {
    const rules = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };
    await cloud.rows(
      `insert into access_rules (deployment_id, name, cidr_blocks, rules) values ($1, $2, '{10.0.0.0/8}', $3)`,
      [deployment, `rule-${count}`, JSON.stringify(rules)],
    );
    const [node] = await cloud.rows<{ id: string }>('select id from nodes');
    await cloud.asSupervisor((database, secrets) =>
      new NodeDocumentsRepository(database, secrets).publish(Number(node?.id), '0'.repeat(32)),
    );
  }

  async function seen(): Promise<Seen> {
    const [row] = await cloud.rows<Record<keyof Seen, string>>(
      `select d.timeline, d.generation, n.observed_timeline, n.observed_generation
         from nodes n join node_documents d on d.node_id = n.id`,
    );
    const numbers = Object.entries(row ?? {}).map(([name, text]) => [name, Number(text)]);
    return Object.fromEntries(numbers) as Seen;
  }

  async function agentPids(): Promise<number[]> {
    const found = await cloud.nodeProcesses();
    return found.filter(({ command }) => command.includes('agent.main')).map(({ pid }) => pid);
  }
});
