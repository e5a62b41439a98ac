import { createClient, type Landlord } from '@landlord/sdk';
import { describeWithCluster, given, TestCloud } from '@libs/testing';
import { CommandLine } from '../command-line.js';
import { McpSession } from './mcp-session.js';

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard' };
/** The permissions of the guide for a key that only reads. */
const READING = [
  'deployment:read',
  'deployment:config:read',
  'deployment:access:read',
  'audit:read',
  'billing:read',
] as const;

/** Paid deployments are clusters. */
describeWithCluster('landlord mcp with orders', () => {
  let cloud: TestCloud;
  let landlord: Landlord;
  let session: McpSession;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    landlord = createClient({ url: cloud.mainApi.url, apiKey: cloud.key });
    session = await McpSession.open(CommandLine.for(cloud), '--allow-writes');
  });
  afterAll(async () => {
    await session.close();
    await cloud.stop();
  });

  const key = (): string => crypto.randomUUID();
  const follow = ({ operation_id }: { operation_id: number }) => landlord.operation(operation_id).wait();

  it('orders, backs up, restores and enlarges a paid deployment, and shows the deployment to a key that only reads', async () => {
    const { price } = await session.data('price_preview', SHAPE);
    const most = { max_monthly_usd: price.monthly_total_usd };
    const ordered = await session.data<any>('create_deployment', {
      ...{ ...SHAPE, ...most, name: 'orders', cluster: 'cluster', idempotency_key: key() },
    });
    expect(ordered).toMatchObject({ monthly_total_usd: price.monthly_total_usd });
    await follow(ordered);
    const of = { deployment: 'orders' };

    const backup = await session.data<any>('create_backup', { ...of, name: 'before', idempotency_key: key() });
    await follow(backup);
    expect((await session.data<any>('deployment', of)).backups).toMatchObject([
      { id: backup.backup_id, name: 'before', status: 'completed' },
    ]);
    const { backup_id } = backup;
    expect(
      await follow(await session.data<any>('restore_backup', { ...of, backup_id, idempotency_key: key() })),
    ).toMatchObject({ type: 'restore_backup' });

    const larger = { ...of, tier: 'medium' };
    const upgrade = await session.data<any>('price_preview', larger);
    expect(upgrade.difference.monthly_total_usd).toBeGreaterThan(0);
    expect(await session.failure('upgrade_deployment', { ...larger, ...most, idempotency_key: key() })).toContain(
      'Nothing was ordered',
    );
    const max_monthly_usd = upgrade.price.monthly_total_usd;
    await follow(await session.data<any>('upgrade_deployment', { ...larger, max_monthly_usd, idempotency_key: key() }));
    expect((await session.data<any>('deployment', of)).deployment).toMatchObject({ tier: 'medium' });

    const LANDLORD_API_KEY = await given.key(cloud, { permissions: { tenant: [...READING] } });
    const reader = await McpSession.open(CommandLine.for(cloud, { LANDLORD_API_KEY }), '--allow-writes');
    for (const name of ['deployment', 'why_unhealthy', 'config', 'metrics', 'logs'])
      expect([name, (await reader.data<any>(name, of)).missing ?? []]).toEqual([name, []]);
    expect((await reader.data<any>('connection', of)).missing).toEqual([
      expect.stringMatching(/^username: .*deployment:credentials:read/),
    ]);
    for (const name of ['whoami', 'tree', 'find_deployments', 'operations', 'audit', 'catalog', 'usage'])
      await reader.data(name);
    await reader.close();
  });
});
