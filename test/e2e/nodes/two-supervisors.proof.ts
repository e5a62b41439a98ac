import { eventually, freePorts, TestCloud, type AppProcess } from '@libs/testing';

const PATIENCE_MS = 90_000;

/** Two supervisors share a cell. The test pauses one of them during its work until its lease has expired. */
describe('Of two supervisors', () => {
  let cloud: TestCloud;
  let second: AppProcess;

  beforeAll(async () => {
    const [gateway = 0] = await freePorts(1);
    // Simulates a load balancer: the agents reach the gateway that runs.
    cloud = await TestCloud.start({ env: { AGENT_PUBLIC_URL: `http://127.0.0.1:${gateway}` } });
    second = await cloud.another('supervisor', { GATEWAY_PORT: String(gateway) });
  });
  afterAll(async () => {
    await second.stop();
    await cloud.stop();
  });

  it('the one that was paused past its lease writes nothing more, and its work counts once', async () => {
    const { body } = await cloud.main().post(`${cloud.division}/deployments/starter`, {
      cloud: 'aws',
      region: 'us-east-1',
    });
    const operation = async () =>
      (
        await cloud.rows<Record<string, any>>(
          'select *, lease_until > now() as is_held from operations where id = $1',
          [body.operation_id],
        )
      )[0] ?? {};
    await eventually('the first works on it', async () => {
      const { step, is_held } = await operation();
      return step === 'deploying_nodes' && is_held === true;
    });

    process.kill(cloud.supervisor.pid, 'SIGSTOP');
    const paused = await operation();
    await second.start();
    const ended = await eventually(
      'the second ends it',
      async () => ((await operation())['status'] === 'succeeded' ? operation() : null),
      PATIENCE_MS,
    );
    process.kill(cloud.supervisor.pid, 'SIGCONT');
    await eventually('the first is awake', async () => {
      const answer = await fetch(`${cloud.supervisor.url}/health/ready`).catch(() => null);
      return answer?.status === 200;
    });
    await cloud.supervisor.stop();

    expect([paused['step'], paused['is_held']]).toEqual(['deploying_nodes', true]);
    expect(Number(ended['lease_token'])).toBeGreaterThan(Number(paused['lease_token']));
    const after = await operation();
    expect({ ...after, is_held: null }).toEqual({ ...ended, is_held: null });
    const steps = await cloud.rows<{ name: string }>(
      'select name from operation_steps where operation_id = $1 order by seq',
      [body.operation_id],
    );
    expect(steps.filter(({ name }) => name !== 'deploying_nodes')).toHaveLength(12);
    expect(steps.filter(({ name }) => name === 'deploying_nodes')).toHaveLength(2);
    expect(await cloud.rows(`select 1 from audit_entries where type = 'deployment_initialized'`)).toHaveLength(1);
    expect(await cloud.rows('select 1 from metering_intervals')).toHaveLength(1);
    // The first one may have been paused just before it starts the node. It then starts a second agent, which detects
    // the first agent and exits.
    await eventually('one agent and one broker live', async () => (await cloud.nodeProcesses()).length === 2);
  }, 150_000);
});
