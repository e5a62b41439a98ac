import { randomBytes } from 'node:crypto';
import { BROKER_OF_THE_RUN, eventually, given, TestCloud, TestDeployment, type ApiAnswer } from '@libs/testing';
import { Secrets } from '@libs/persistence';
import { appendFile, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipped } from './snapshot-archive.js';

/** Secrets that the test writes into the log of a node, as a careless program would. */
const PLANTED = {
  bearer: 'Tm90QS1yZWFsLWJlYXJlci10b2tlbg',
  apiKey: `ld_${'plantedkeyplantedkey'}`,
  password: 'hunter2-planted-password',
  url: 'planted-url-password',
  aws: 'AKIAPLANTED000000001',
};
const PLANTED_LINES = [
  `authorization: Bearer ${PLANTED.bearer}`,
  `called with ${PLANTED.apiKey}`,
  `connect {"user":"a","password":"${PLANTED.password}"}`,
  `GET https://someone:${PLANTED.url}@example.org/path`,
  `using ${PLANTED.aws}`,
];

/** Names in the data of a node. */
const DATA_FILES = { embedded: /CURRENT|\.ldb|MANIFEST/, nats: /jetstream|jwt/, iggy: /server-snapshot/ };

/** Diagnostic snapshots of real nodes (C-20.2, C-20.7). */
describe('A diagnostic snapshot', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let path: string;
  beforeAll(async () => {
    cloud = await TestCloud.start();
    deployment = await TestDeployment.largest(cloud);
    path = `${deployment.live}/snapshots`;
    await deployment.permit();
  });
  afterAll(() => cloud.stop());

  const take = (more: object = {}): Promise<ApiAnswer> => cloud.runtime().post(path, more);
  const taken = async (more: object = {}): Promise<number> => {
    const answer = await take(more);
    await deployment.succeeds(answer);
    return Number(answer.headers.get('ld-snapshot'));
  };
  const listed = async (query = '') => (await cloud.runtime().get(`${path}${query}`)).body;
  const urlOf = async (id: number): Promise<string> => (await cloud.runtime().get(`${path}/${id}/download`)).body.url;
  const archiveOf = async (id: number): Promise<Buffer> => {
    const response = await fetch(await urlOf(id));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    return Buffer.from(await response.arrayBuffer());
  };
  const remove = async (id: number): Promise<void> =>
    deployment.succeeds(await cloud.runtime().delete(`${path}/${id}`));
  const json = (files: Map<string, Buffer>, name: string) => JSON.parse(String(files.get(name)));
  const stored = (id: number): Promise<string[]> =>
    readdir(join(cloud.directory, 'objects/deployments', `${deployment.id}/snapshots/${id}`)).catch(() => []);

  it('is a record of the deployment with an archive of report, facts, logs and the data of each broker', async () => {
    const answer = await take();
    expect(answer.status).toBe(204);
    await deployment.succeeds(answer);
    const id = Number(answer.headers.get('ld-snapshot'));

    const nodes = await deployment.nodes();
    const { name } = (await cloud.main().get(deployment.path)).body;
    const files = await unzipped(await archiveOf(id));
    const { tenant_id, division_id, environment_id } = cloud.installation;
    expect((await listed()).items[0]).toEqual({
      ...{ id, tenant_id, division_id, environment_id, deployment_id: deployment.id, node_id: null },
      deployment_name: name,
      name: expect.stringMatching(new RegExp(`^${name}-\\d{8}-\\d{6}$`)),
      ...{ status: 'completed', created_at: expect.any(String), completed_at: expect.any(String) },
    });
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        ...['report.html', 'data/checks.json', 'data/nodes.json', 'data/series.json', 'data/configs.json'],
        ...['data/access_rules.json', 'data/operations.json', 'data/deployment.json'],
        ...nodes.flatMap((node) => [
          `logs/${node.name}/broker.log`,
          `logs/${node.name}/agent.log`,
          `broker-data-${node.name}.zip`,
        ]),
      ]),
    );
    const told = json(files, 'data/nodes.json');
    expect(told.map((node: { told: { ports: object[]; failures: object[] } }) => node.told.failures)).toEqual(
      nodes.map(() => []),
    );
    expect(json(files, 'data/checks.json').results.length).toBeGreaterThanOrEqual(30);
    expect(String(files.get('report.html'))).toContain('<!doctype html>');
    const data = await unzipped(files.get(`broker-data-${nodes[0]?.name}.zip`) as Buffer);
    expect([...data.keys()].join(' ')).toMatch(DATA_FILES[BROKER_OF_THE_RUN]);
    expect(await stored(id)).toEqual(['snapshot.zip']);
  });

  it('contains no secret from the configuration, the logs or the environment', async () => {
    const [node] = await deployment.nodes();
    const login = await deployment.login();
    const dir = join(cloud.directory, 'nodes', String(node?.id));
    for (const line of [...PLANTED_LINES, `login ${login.password}`])
      await appendFile(join(dir, 'agent.log'), `${line}\n`);
    const masked = await archiveOf(await taken({ include_iggy: false }));

    const files = await unzipped(masked);
    const contents = [masked, ...files.values()].map((content) => content.toString('latin1'));
    const ofTheCloud = [cloud.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '', await credentialOf(cloud, node?.id ?? 0)];
    for (const secret of [...Object.values(PLANTED), ...ofTheCloud, login.password])
      expect(contents.filter((content) => content.includes(secret))).toEqual([]);
    // The lines are in the archive, with masked secrets.
    expect(String(files.get(`logs/${node?.name}/agent.log`))).toContain('"password":"********"');
    expect([...files.keys()].filter((name) => name.startsWith('broker-data'))).toEqual([]);
    expect(json(files, 'data/checks.json').results).toContainEqual(
      expect.objectContaining({ id: 'secrets_masked', verdict: 'ok' }),
    );
  });

  it('contains secrets if the request allows it, but never the credentials of agents', async () => {
    const files = await unzipped(await archiveOf(await taken({ redact_secrets: false, include_iggy: false })));

    const [node] = await deployment.nodes();
    const log = String(files.get(`logs/${node?.name}/agent.log`));
    for (const secret of Object.values(PLANTED)) expect(log).toContain(secret);
    const identity = await credentialOf(cloud, node?.id ?? 0);
    expect(identity.length).toBeGreaterThan(20);
    const contents = [...files.values()].map(String);
    expect(contents.filter((content) => content.includes(identity))).toEqual([]);
    expect(json(files, 'data/checks.json').results).toContainEqual(
      expect.objectContaining({ id: 'secrets_masked', verdict: 'warn' }),
    );
  });

  it('is downloaded with a link that cannot be forged and that expires', async () => {
    const [{ id, name }] = (await listed()).items;
    const url = await urlOf(id);
    const token = url.split('/').at(-1) ?? '';
    const [claim = '', ...proof] = token.split('.');
    const [ofDeployment, ofSnapshot, until] = claim.split('-').map(Number);
    const withClaim = (parts: unknown[]): string => `/downloads/${[parts.join('-'), ...proof].join('.')}`;
    const anonymous = cloud.runtime(null);

    expect((await fetch(url)).headers.get('content-disposition')).toBe(`attachment; filename="${name}.zip"`);
    expect(Number(until) * 1000).toBeGreaterThan(Date.now());
    expect(Number(until) * 1000).toBeLessThanOrEqual(Date.now() + 300_000);
    for (const forged of [
      withClaim([ofDeployment, ofSnapshot, Number(until) + 600]),
      withClaim([ofDeployment, Number(ofSnapshot) - 1, until]),
      `/downloads/${token.slice(0, -2)}AA`,
      '/downloads/nonsense',
    ])
      expect(await anonymous.get(forged)).toBeProblem('download_link_invalid');
    const proved = (end: number): string => {
      const own = [ofDeployment, ofSnapshot, end].join('-');
      const secrets = new Secrets(cloud.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '');
      return `/downloads/${own}.${secrets.prove('snapshot_download', own)}`;
    };
    expect(await anonymous.get(proved(Math.floor(Date.now() / 1000) - 2))).toBeProblem('download_link_invalid');
    expect((await fetch(`${cloud.supervisor.url}${proved(Number(until))}`)).status).toBe(200);
  });

  it('is taken one at a time, and cannot be downloaded or deleted before it is complete', async () => {
    const id = await taken({ include_iggy: false });
    // Simulates a snapshot whose nodes still send data.
    await cloud.rows(`update diagnostic_snapshots set status = 'processing' where id = $1`, [id]);

    const refused = [
      await take(),
      await cloud.runtime().get(`${path}/${id}/download`),
      await cloud.runtime().delete(`${path}/${id}`),
    ];
    await cloud.rows(`update diagnostic_snapshots set status = 'completed' where id = $1`, [id]);

    for (const answer of refused) expect(answer).toBeProblem('state_conflict', { state: 'processing' });
  });

  it('is listed in pages, and can be filtered by its nodes', async () => {
    const [node] = await deployment.nodes();
    const all = await listed();

    expect(all.total_results).toBe(4);
    expect((await listed('?results=1&page=2')).items).toEqual([all.items[1]]);
    expect((await listed(`?node=${node?.id}`)).total_results).toBe(4);
    expect((await listed('?node=999999')).total_results).toBe(0);
    expect(await cloud.runtime().get(`${path}?node=x`)).toBeProblem('validation_failed');
    expect(await take({ redact_secrets: 'no' })).toBeProblem('validation_failed');
  });

  it('is deleted with its archive, and its link stops working', async () => {
    const [{ id }] = (await listed()).items;
    const url = await urlOf(id);

    const deleted = await cloud.runtime().delete(`${path}/${id}`);
    expect(deleted.status).toBe(204);
    await deployment.succeeds(deleted);

    expect((await listed()).items.map((one: { id: number }) => one.id)).not.toContain(id);
    expect(await stored(id)).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    expect(await cloud.runtime().delete(`${path}/${id}`)).toBeProblem('snapshot_not_found');
    expect(await cloud.runtime().get(`${path}/${id}/download`)).toBeProblem('snapshot_not_found');
  });

  it('is limited in number and in retention by the plan', async () => {
    for (const { id } of (await listed()).items) await remove(id);
    await cloud.rows(`update tenants set plan = 'basic'`);
    for (let count = 0; count < 3; count += 1) await taken({ include_iggy: false });
    const refused = await take();
    await cloud.rows(`update tenants set plan = 'enterprise'`);

    expect(refused).toBeProblem('plan_limit_reached', { limit_name: 'deployment_snapshots_limit', limit: 3, usage: 3 });
    const [{ days }] = (await cloud.rows<{ days: number }>(
      'select distinct extract(day from expires_at - created_at)::int as days from diagnostic_snapshots',
    )) as [{ days: number }];
    expect(days).toBe(7);
    const [{ id }] = (await listed()).items;
    await cloud.rows('update diagnostic_snapshots set expires_at = now() where id = $1', [id]);
    await eventually(
      'it is gone',
      async () => (await stored(id)).length === 0 && (await listed()).total_results === 2,
      60_000,
    );
  });

  it('contains the stored data of an unreachable node, and the reason for its missing report', async () => {
    const node = (await deployment.nodes()).at(-1);
    await cloud.rows(`update tenants set plan = 'enterprise'`);
    const stop = await silenced(cloud, node?.id ?? 0);

    const files = await unzipped(await archiveOf(await taken({ include_iggy: false })));
    stop();

    const told = json(files, 'data/nodes.json').find(({ id }: { id: number }) => id === node?.id);
    expect(told).toMatchObject({ told: null, missing: 'it was not reachable' });
    expect(String(files.get(`logs/${node?.name}/agent.log`))).toContain('agent started');
    const results = json(files, 'data/checks.json').results;
    expect(results).toContainEqual(
      expect.objectContaining({ id: 'nodes_told', verdict: 'warn', seen: `${node?.name}: it was not reachable` }),
    );
    expect(results.find(({ id }: { id: string }) => id === 'nodes_reachable').verdict).not.toBe('ok');
    expect(String(files.get('report.html'))).toContain('The node sent no report: it was not reachable');
  });

  it('contains nothing of another organization', async () => {
    const word = `canary${randomBytes(6).toString('hex')}`;
    const theirs = await given.cloudOf(cloud, await given.tenant(cloud));
    const other = await TestDeployment.free(theirs, { deployment_name: word });
    await theirs.runtime().post(`${other.live}/access_rules`, {
      ...{ name: word, cidr_blocks: ['10.0.0.0/8'], rules: { broker_tcp: true } },
    });
    const [node] = await other.nodes();
    await appendFile(join(cloud.directory, 'nodes', String(node?.id), 'agent.log'), `${word}\n`);
    const snapshotOf = async (of: TestDeployment): Promise<string> => {
      const answer = await of.cloud.runtime().post(`${of.live}/snapshots`, { include_iggy: false });
      await of.succeeds(answer);
      const link = await of.cloud.runtime().get(`${of.live}/snapshots/${answer.headers.get('ld-snapshot')}/download`);
      const files = await unzipped(Buffer.from(await (await fetch(link.body.url as string)).arrayBuffer()));
      return [...files].map(([name, content]) => `${name}\n${content.toString('latin1')}`).join('\n');
    };

    expect((await snapshotOf(other)).split(word).length).toBeGreaterThan(5);
    expect(await snapshotOf(deployment)).not.toContain(word);
  });
});

/** The secret with which the agent of a node authenticates. */
async function credentialOf({ directory }: TestCloud, node: number): Promise<string> {
  const text = await readFile(join(directory, 'nodes', String(node), 'credential.json'), 'utf8');
  return (JSON.parse(text) as { secret: string }).secret;
}

/** Pauses the agent of a node with SIGSTOP; returns a function that resumes the agent. */
async function silenced(cloud: TestCloud, node: number): Promise<() => void> {
  const mark = `--landlord-node=${cloud.installation.installation}/${node}`;
  const processes = await cloud.nodeProcesses();
  const agent = processes.find(({ command }) => command.includes('agent.main') && command.split(' ').includes(mark));
  if (!agent) throw new TypeError('the node has no agent');
  process.kill(agent.pid, 'SIGSTOP');
  return () => process.kill(agent.pid, 'SIGCONT');
}
