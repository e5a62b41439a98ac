import { WorkflowBench } from '@libs/testing';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';

/** Longer than the pause of any failed step. */
const PACE_MS = 45_000;

describe('An operation that waits for its cloud', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const sleep = async (operation: number) =>
    (
      await bench.rows<{ seconds: number; reason: string }>(
        'select extract(epoch from wake_at - now())::float8 as seconds, reason from operations where id = $1',
        [operation],
      )
    )[0];

  it('looks again when the resource says so', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 1);
    fixture.cloud.pollAfterMs = PACE_MS;
    const operation = await fixture.start('provision_deployment');

    await bench.runner([fixture.workflows.provision]).run(operation);

    const { seconds = 0, reason } = (await sleep(operation)) ?? {};
    expect(reason).toBe('the provider creates the subnet');
    expect(seconds).toBeGreaterThan(PACE_MS / 1000 - 5);
    expect(seconds).toBeLessThanOrEqual(PACE_MS / 1000);
  });

  it('looks again at a deletion when the first of the resources says so', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    for (const [name, resource] of fixture.cloud.resources)
      fixture.cloud.resources.set(name, {
        ...resource,
        poll_after_ms: resource.kind === 'load_balancer' ? PACE_MS : 2 * PACE_MS,
      });
    fixture.cloud.destroy = () => Promise.resolve();
    const operation = await fixture.start('delete_deployment');

    await bench.runner([fixture.workflows.deletion]).run(operation);

    expect((await sleep(operation))?.seconds).toBeLessThanOrEqual(PACE_MS / 1000);
    expect((await sleep(operation))?.seconds).toBeGreaterThan(PACE_MS / 1000 - 5);
  });
  it('continues a deletion without a wait when the resources of one layer are deleted at once', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    for (const [name, resource] of fixture.cloud.resources)
      fixture.cloud.resources.set(name, { ...resource, poll_after_ms: PACE_MS });
    fixture.cloud.destroy = (_kind, { name }) => Promise.resolve(void fixture.cloud.resources.delete(name));
    const operation = await fixture.start('delete_deployment');

    await bench.runner([fixture.workflows.deletion]).run(operation);

    const [row] = await bench.rows<{ step: string }>('select step from operations where id = $1', [operation]);
    expect(fixture.cloud.resources.size).toBe(0);
    expect(row?.step).not.toBe('destroying_resources');
  });
});
