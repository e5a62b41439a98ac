import { MOST_WRITES_AT_ONCE, TenantTurns } from './tenant-turns.js';

describe('The turns of a tenant', () => {
  it('are limited for each tenant, go on after a failure, and leave nothing behind', async () => {
    const turns = new TenantTurns();
    const running = new Map([
      [1, 0],
      [2, 0],
    ]);
    const most = new Map(running);
    const write = (tenantId: number, n: number): Promise<void> =>
      turns.run(tenantId, async () => {
        running.set(tenantId, (running.get(tenantId) ?? 0) + 1);
        most.set(tenantId, Math.max(most.get(tenantId) ?? 0, running.get(tenantId) ?? 0));
        await new Promise(setImmediate);
        running.set(tenantId, (running.get(tenantId) ?? 0) - 1);
        if (n % 3 === 0) throw new TypeError('no');
      });

    const settled = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => write(1 + (n % 2), n)));

    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(14);
    expect([...most.values()]).toEqual([MOST_WRITES_AT_ONCE, MOST_WRITES_AT_ONCE]);
    expect(turns.size).toBe(0);
  });
});
