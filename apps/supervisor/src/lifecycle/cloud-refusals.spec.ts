import type { CloudRefusal } from '@libs/cloud';
import { WorkflowBench } from '@libs/testing';
import type { OperationType } from '@libs/domain';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';

const HELD: CloudRefusal[] = [
  { code: 'quota', name: 'VPCs per region' },
  { code: 'denied', actions: ['ec2:CreateVpc'] },
];

describe('A cloud that refuses a call of an operation', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const runtime = async ({ deploymentId }: LifecycleFixture) =>
    (
      await bench.rows<{ status: string; status_reason: string | null }>(
        'select status, status_reason from deployment_runtimes where deployment_id = $1',
        [deploymentId],
      )
    )[0];
  const row = async (id: number) =>
    (await bench.rows<Record<string, any>>('select * from operations where id = $1', [id]))[0] ?? {};

  /** Runs the operation until the first wait that is not for a network. */
  async function runs({ workflows: { provision, deletion } }: LifecycleFixture, id: number): Promise<void> {
    for (let run = 0; run < 3; run += 1) {
      await bench.rows('update operations set wake_at = now() where id = $1', [id]);
      await bench.runner([provision, deletion]).run(id);
    }
  }

  /** Runs the operation once while the cloud refuses the calls for these resources. */
  async function meet(fixture: LifecycleFixture, type: OperationType, part: string, refusal: CloudRefusal) {
    fixture.cloud.refuses = (name) => (name.includes(part) ? refusal : null);
    const id = await fixture.start(type);
    const { provision, deletion } = fixture.workflows;
    const drive = () => bench.runner([provision, deletion]);
    await runs(fixture, id);
    return {
      id,
      accept: async () => {
        fixture.cloud.refuses = () => null;
        return bench.drive(id, drive, () => fixture.agentsReport());
      },
    };
  }

  it.each(HELD)(
    'shows a limit that only a person can lift in the deployment at once, and continues afterwards: %j',
    async (refusal) => {
      const fixture = await LifecycleFixture.ordered(bench, 1);

      const { id, accept } = await meet(fixture, 'provision_deployment', 'network', refusal);

      const reason = `the fake cloud refuses: ${refusal.code}`;
      expect(await runtime(fixture)).toEqual({ status: 'creating_subnet', status_reason: reason });
      expect(await row(id)).toMatchObject({ status: 'running', attempt: 0, reason: `held: ${reason}` });
      expect(await accept()).toBe('succeeded');
      expect(await runtime(fixture)).toEqual({ status: 'initialized', status_reason: null });
    },
  );

  it.each([
    ['single_az', 1, ['us-east-1a', 'us-east-1b'], ['us-east-1b']],
    ['multi_az', 2, ['us-east-1a', 'us-east-1b', 'us-east-1b', 'us-east-1c'], ['us-east-1b', 'us-east-1c']],
  ])('tries the next zone when a zone has no capacity: %s', async (mode, count, tried, used) => {
    const fixture = await LifecycleFixture.ordered(bench, count);
    await bench.rows('update deployments set availability_mode = $2 where id = $1', [fixture.deploymentId, mode]);
    const calls: string[] = [];
    const full = new Set(['us-east-1a']);
    fixture.cloud.refuses = (_name, zone) => {
      if (zone === undefined) return null;
      calls.push(zone);
      const refusal = { code: 'capacity', what: 'small', zone } as const;
      if (full.has(zone)) return refusal;
      // The second node finds the zone of the first full, too.
      if (mode === 'multi_az') full.add(zone);
      return null;
    };
    const id = await fixture.start('provision_deployment');

    await runs(fixture, id);

    expect(calls).toEqual(tried);
    expect(await row(id)).toMatchObject({ attempt: 0 });
    expect(calls.filter((zone, index) => index === calls.lastIndexOf(zone) && used.includes(zone))).toEqual(used);
  });

  it('waits for capacity when every zone is full', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 1);
    const calls: string[] = [];
    fixture.cloud.refuses = (_name, zone) => {
      if (zone !== undefined) calls.push(zone);
      return zone === undefined ? null : { code: 'capacity', what: 'small', zone };
    };
    const id = await fixture.start('provision_deployment');

    await runs(fixture, id);

    expect(new Set(calls).size).toBe(calls.length);
    expect(await row(id)).toMatchObject({ status: 'running', step: 'deploying_nodes', attempt: 0 });
    expect((await row(id))['reason']).toContain('capacity');
    fixture.cloud.refuses = () => null;
    const drive = () => bench.runner([fixture.workflows.provision]);
    expect(await bench.drive(id, drive, () => fixture.agentsReport())).toBe('succeeded');
  });

  it.each([
    { code: 'throttled', retry_after_ms: 5_000 },
    { code: 'capacity', what: 'memory', zone: null },
  ] as const)('waits without an attempt and without a word in the deployment: %j', async (refusal) => {
    const fixture = await LifecycleFixture.ordered(bench, 1);

    const { id, accept } = await meet(fixture, 'provision_deployment', '-node-', refusal);

    expect(await runtime(fixture)).toEqual({ status: 'deploying_nodes', status_reason: null });
    expect(await row(id)).toMatchObject({ status: 'running', attempt: 0, last_error: null });
    expect(await accept()).toBe('succeeded');
  });

  it('fails at once on a call that the cloud never accepts', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 1);

    const { accept } = await meet(fixture, 'provision_deployment', '-firewall', { code: 'invalid' });

    expect(await runtime(fixture)).toMatchObject({ status: 'rolling_back' });
    expect(await accept()).toBe('failed');

    expect(await runtime(fixture)).toEqual({ status: 'failed', status_reason: 'the fake cloud refuses: invalid' });
  });

  it('counts attempts while the cloud is unavailable', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 1);

    const { id } = await meet(fixture, 'provision_deployment', 'network', { code: 'unavailable' });

    expect((await row(id))['attempt']).toBeGreaterThan(1);
  });

  it('does not end a deletion, whatever the refusal', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);

    const { accept } = await meet(fixture, 'delete_deployment', 'load', { code: 'invalid' });

    expect(await runtime(fixture)).toEqual({ status: 'deleting', status_reason: 'the fake cloud refuses: invalid' });
    expect(await accept()).toBe('succeeded');
    expect(fixture.cloud.resources.size).toBe(0);
  });
});
