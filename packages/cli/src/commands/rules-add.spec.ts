import { createClient } from '@landlord/sdk';
import { endAfter } from './rules-add.js';

describe('A rule for some hours', () => {
  const supervisor = (headers: Record<string, string>) =>
    createClient({
      ...{ url: 'http://127.0.0.1:9', supervisorUrl: 'http://127.0.0.1:9', tenantId: 1 },
      fetch: async () => Response.json({ address: '203.0.113.7', cidr: '203.0.113.7/32' }, { headers }),
    });

  it('ends by the clock of the Supervisor, because the own clock can be wrong', async () => {
    const date = 'Thu, 02 Jan 2020 10:00:00 GMT';

    expect(await endAfter(2, supervisor({ date }), 1)).toBe('2020-01-02T12:00:00.000Z');
  });

  it('ends by the own clock when a proxy has removed the time', async () => {
    const from = Date.now();
    const end = Date.parse(await endAfter(2, supervisor({}), 1));

    expect(end).toBeGreaterThanOrEqual(from + 7_200_000);
    expect(end).toBeLessThan(from + 7_300_000);
  });
});
