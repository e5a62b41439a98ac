import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestCloud } from '@libs/testing';

/** Settings that no other suite uses, so no other suite gets these clouds. */
const OURS = { env: { BASE_DOMAIN: 'borrowed.example' } };

describe('A borrowed cloud', () => {
  it('is the cloud that was returned, without data of the previous suite', async () => {
    const first = await TestCloud.borrow(OURS);
    await first.main().post(`${first.tenant}/divisions`, { name: 'Left behind' });
    const mailFile = join(first.directory, 'mail', 'letter.eml');
    mkdirSync(join(mailFile, '..'), { recursive: true });
    writeFileSync(mailFile, 'Dear you');
    await first.stop();

    const second = await TestCloud.borrow(OURS);

    expect(second.mainApi.pid).toBeGreaterThan(0);
    expect(second.directory).toBe(first.directory);
    expect(await second.main(first.key).get(first.tenant)).toBeProblem('unauthenticated');
    const { items } = (await second.main().get(`${second.tenant}/divisions`)).body;
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['Default']);
    expect(await second.rows('select id::int from tenants')).toEqual([{ id: second.installation.tenant_id }]);
    expect(await second.rows('select 1 from audit_entries')).toEqual([]);
    expect(second.installation.tenant_id).toBeGreaterThan(first.installation.tenant_id);
    expect(second.mainApi.log()).not.toContain(`${first.tenant}/`);
    expect(existsSync(mailFile)).toBe(false);
    await second.stop();
  });

  it('is never a cloud that still works, or whose app has died', async () => {
    const working = await TestCloud.borrow(OURS);
    const [mainApi, supervisor] = [working.mainApi.pid, working.supervisor.pid];
    const shape = { cloud: 'aws', region: 'us-east-1' };
    expect((await working.main().post(`${working.division}/deployments/starter`, shape)).status).toBe(202);
    await working.stop();
    expect([isAlive(mainApi), isAlive(supervisor), existsSync(working.directory)]).toEqual([false, false, false]);

    const dying = await TestCloud.borrow(OURS);
    const { pid } = dying.supervisor;
    await dying.stop();
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');

    const third = await TestCloud.borrow(OURS);
    expect(third.directory).not.toBe(dying.directory);
    expect((await third.runtime().get('/health/ready')).status).toBe(200);
    expect(existsSync(dying.directory)).toBe(false);
    await third.stop();
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
