import { setTimeout as delay } from 'node:timers/promises';
import { eventually, WorkflowBench } from '@libs/testing';
import { LeaseRenewal } from './lease-renewal.js';
import type { OperationRow } from './operation-row.js';
import { OperationStore } from './operation-store.js';

const RENEWED_EVERY_MS = 5_000;

describe('The lease of a long step', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  /** An operation whose lease ends in three seconds, with its renewal. */
  async function aLease(store = new OperationStore(bench.database)) {
    const id = await bench.start({ type: 'provision_deployment' });
    const row = (await store.take(id)) as OperationRow;
    await bench.rows(`update operations set lease_until = now() + interval '3 seconds' where id = $1`, [id]);
    const lease = new LeaseRenewal(store, row);
    const secondsLeft = async (): Promise<number> => {
      const [row] = await bench.rows<{ left: number }>(
        'select extract(epoch from lease_until - now())::float8 as left from operations where id = $1',
        [id],
      );
      return row?.left ?? 0;
    };
    return { id, lease, secondsLeft };
  }

  it.concurrent('is renewed again and again, aborts when another worker has it, and stays after the stop', async () => {
    const [renewed, lost, stopped] = [await aLease(), await aLease(), await aLease()];
    const start = performance.now();
    const [keptSignal, lostSignal] = [renewed.lease.watch(), lost.lease.watch()];
    await bench.rows('update operations set lease_token = lease_token + 1 where id = $1', [lost.id]);
    stopped.lease.stop();

    await eventually('the lost lease aborts', async () => lostSignal.aborted);
    // At the first renewal, not when the lease would have ended.
    expect(performance.now() - start).toBeLessThan(12_000);
    expect(keptSignal.aborted).toBe(false);
    expect(await renewed.secondsLeft()).toBeGreaterThan(13);
    expect(await stopped.secondsLeft()).toBeLessThan(0);

    await bench.rows(`update operations set lease_until = now() where id = $1`, [renewed.id]);
    await eventually('the lease is renewed a second time', async () => (await renewed.secondsLeft()) > 13);
    expect(keptSignal.aborted).toBe(false);
    renewed.lease.stop();
  });

  it.concurrent('aborts before it ends when the database does not answer, and not after one failure', async () => {
    const store = new OperationStore(bench.database);
    let failures = 0;
    const failing = Object.assign(Object.create(store) as OperationStore, {
      renew: async () => {
        failures += 1;
        throw new TypeError('no database');
      },
    });
    const { lease } = await aLease(failing);
    const signal = lease.watch();
    await delay(RENEWED_EVERY_MS * 1.5);
    expect([failures, signal.aborted]).toEqual([1, false]);

    await eventually('the lease is given up', async () => signal.aborted);

    expect(failures).toBe(2);
  });
});
