import { WorkflowBench } from '@libs/testing';
import { CloudCallSlotsRepository } from './cloud-call-slots.repository.js';

/** One call in an hour, so that the duration of the test is nothing beside it. */
const STEP_MS = 3_600_000;
const RATE = { perSecond: 1_000 / STEP_MS, burst: 5 };

describe('The common budget of calls', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.rows('delete from cloud_call_slots'));

  const slots = () => new CloudCallSlotsRepository(bench.database);
  const take = (count: number, mostMs = 100 * STEP_MS) =>
    Promise.all(Array.from({ length: count }, () => slots().take('aws//us-east-1/write', RATE, mostMs)));

  it('gives the burst at once, and then each call its own later slot, over all processes', async () => {
    const waits = (await take(15)).map(Number).sort((a, b) => a - b);

    expect(waits.slice(0, RATE.burst)).toEqual(Array(RATE.burst).fill(0));
    const later = waits.slice(RATE.burst);
    expect(later.map((wait) => Math.ceil(wait / STEP_MS))).toEqual(later.map((_, index) => index + 1));
  });

  it('refuses a call whose slot is too far away, and gives the slot to nobody', async () => {
    const waits = await take(RATE.burst + 4, 2 * STEP_MS);

    expect(waits.filter((wait) => wait === null)).toHaveLength(2);
    expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(2 * STEP_MS);
    expect(await slots().take('aws//us-east-1/write', RATE, 3 * STEP_MS)).toBeLessThanOrEqual(3 * STEP_MS);
  });

  it('counts each account, region and kind for itself', async () => {
    await take(RATE.burst + 5);

    expect(await slots().take('aws/111122223333/us-east-1/write', RATE, 0)).toBe(0);
  });
});
