import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeOne, LocalProvider } from '@libs/cloud';
import { IncidentCommands } from '@libs/operator';
import { eventually, PROCESSES_OF_NODE, TestCloud, type NodeProcessKind, refTo } from '@libs/testing';

const PATIENCE_MS = 60_000;

/** The reconcilers restore the desired state. */
describe('Reconciliation', () => {
  let cloud: TestCloud;
  let deployment: number;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { NODE_UNREACHABLE_SECONDS: '4' } });
    const starter = { cloud: 'aws', region: 'us-east-1' };
    const { body } = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    const { body: ended } = await cloud.main().get(`${cloud.tenant}/operations/${body.operation_id}?wait=60`);
    expect(ended.status).toBe('succeeded');
    deployment = body.deployment_id;
  });
  afterAll(() => cloud.stop());

  const detail = async () => (await cloud.runtime().get(`/deployments/${deployment}`)).body;
  const pidOf = async (wanted: NodeProcessKind): Promise<number> =>
    (await cloud.nodeProcesses()).find(({ kind }) => kind === wanted)?.pid ?? 0;
  const events = async (): Promise<string[]> => {
    const rows = await cloud.rows<{ type: string }>(`select type from outbox where type like 'node_%' order by id`);
    return rows.map(({ type }) => type);
  };
  const whole = (): Promise<unknown> =>
    eventually(
      'the deployment is whole',
      async () => {
        const { status, nodes } = await detail();
        const heard = await cloud.rows(
          `select 1 from nodes where last_seen_at > now() - interval '3 seconds' and observed_generation > 0`,
        );
        return status === 'initialized' && nodes[0].status === 'running' && heard.length === 1;
      },
      PATIENCE_MS,
    );

  it('restarts a dead agent, and its broker keeps running', async () => {
    const [agent, broker] = [await pidOf('agent'), await pidOf('broker')];

    process.kill(agent, 'SIGKILL');
    await eventually('another agent runs', async () => ![0, agent].includes(await pidOf('agent')), PATIENCE_MS);

    await whole();
    expect(await pidOf('broker')).toBe(broker);
  });

  it('reports a silent node as unreachable and its deployment as degraded, until the node reports again', async () => {
    const before = await events();
    const agent = await pidOf('agent');

    process.kill(agent, 'SIGSTOP');
    await eventually('it is degraded', async () => (await detail()).status === 'degraded', PATIENCE_MS);
    const degraded = await detail();
    process.kill(agent, 'SIGCONT');
    await whole();

    expect(degraded).toMatchObject({
      status_reason: '1 of 1 nodes are not in service',
      nodes: [{ status: 'unreachable' }],
    });
    expect((await detail()).status_reason).toBeNull();
    expect((await events()).slice(before.length)).toEqual(['node_unreachable', 'node_reachable']);
  });

  it('creates a node with a removed directory again, at the same address, and fences the old one', async () => {
    const before = await detail();
    const [{ id, epoch }] = (await cloud.rows<{ id: string; epoch: number }>('select id, epoch from nodes')) as [any];
    const directory = join(cloud.directory, 'nodes', String(id));

    await rm(directory, { recursive: true });
    await eventually(
      'it is there again',
      async () => {
        const [node] = await cloud.rows<{ epoch: number }>('select epoch from nodes');
        return (node?.epoch ?? 0) > epoch && (await stat(directory).catch(() => null)) !== null;
      },
      PATIENCE_MS,
    );
    await whole();

    expect((await detail()).nodes[0].endpoints).toEqual(before.nodes[0].endpoints);
    await eventually(
      'only the processes of one node live',
      async () => String((await cloud.nodeProcesses()).map(({ kind }) => kind).sort()) === String(PROCESSES_OF_NODE),
    );
  });

  it('reports resources with its tag but without a deployment, and destroys them only when an operator requests it', async () => {
    const provider = new LocalProvider({
      dataDir: cloud.directory,
      installation: cloud.installation.installation,
      bindAddress: '127.0.0.1',
      publicAddress: '127.0.0.1',
      agentEntry: '',
      agentUrl: '',
    });
    const tags = { installation: cloud.installation.installation, deployment_id: 4711 };
    const stray = { region: 'us-east-1', cidr: '10.0.0.0/24', zones: ['a'] };
    const incident = async () =>
      (
        await cloud.rows<{ id: number; subject: string; closed_at: Date | null }>(
          `select id, subject, closed_at from incidents where kind = 'unknown_resource'`,
        )
      )[0];

    await provider.ensure('network', refTo('ld-stray'), stray, tags);
    const opened = await eventually('it is reported', incident, PATIENCE_MS);
    const kept = await describeOne(provider, 'network', refTo('ld-stray'));
    await cloud.asOperator((session) => new IncidentCommands(session).decide(Number(opened.id), 'destroy'));
    await eventually('it is closed', async () => (await incident())?.closed_at != null, PATIENCE_MS);

    expect(opened).toMatchObject({ subject: 'local network ld-stray', closed_at: null });
    expect(kept).not.toBeNull();
    expect(await describeOne(provider, 'network', refTo('ld-stray'))).toBeNull();
  });
});
