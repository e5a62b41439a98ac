import { given } from '@libs/testing';
import { TestMainApi } from '../../../test/test-main-api.fixture.js';

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };

describe('A deployment that starts with a backup', () => {
  let cloud: TestMainApi;
  let source: number;
  let backup: number;
  let number = 0;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
    source = Number((await order({ storage: { size: 200 } })).headers.get('ld-deployment'));
    backup = await insertBackup('completed');
  });
  afterAll(() => cloud.close());

  const order = (more: object = {}, key: string = cloud.key) =>
    cloud
      .main(key)
      .post(`${cloud.environment}/deployments/managed`, { ...SHAPE, name: `restored-${(number += 1)}`, ...more });
  const from = (more: object = {}, key?: string) =>
    order({ storage: { size: 200 }, restore_from: { deployment_id: source, backup_id: backup }, ...more }, key);
  const insertBackup = async (status: string, covered = 3): Promise<number> => {
    const [row] = (await cloud.rows<{ id: number }>(
      `insert into backups (deployment_id, operation_id, name, backup_type, status, region, expires_at)
       select $1, coalesce(max(operation_id), 0) + 1, 'b', 'manual', $2, 'us-east-1', now() + interval '1 day' from backups
       returning id::int`,
      [source, status],
    )) as [{ id: number }];
    await cloud.rows(
      `insert into backup_snapshots (backup_id, node_id, snapshot_id, volume_id, object_key, sha256, size_bytes)
       select $1, id, 's', 'v', 'k', repeat('0', 64), 1 from nodes where deployment_id = $2 and ordinal <= $3`,
      [row.id, source, covered],
    );
    return row.id;
  };
  const count = async (): Promise<number> =>
    (await cloud.rows<{ count: number }>('select count(*)::int as count from deployments'))[0]?.count ?? 0;

  it('is accepted, waits with its brokers, and has other credentials, another key and no rule of the source', async () => {
    const accepted = await from({ encrypted: true });
    expect(accepted.status).toBe(202);
    const id = Number(accepted.headers.get('ld-deployment'));

    const [[operation], [audit], [runtime], nodes, passwords] = await Promise.all([
      cloud.rows('select type, memo from operations where deployment_id = $1', [id]),
      cloud.rows<{ data: object }>(`select data from audit_entries where deployment_id = $1`, [id]),
      cloud.rows(
        'select restore_source::int, data_key is not null as sealed from deployment_runtimes where deployment_id = $1',
        [id],
      ),
      cloud.rows('select held_at from nodes where deployment_id = $1', [id]),
      cloud.rows<{ username: string }>('select username from deployment_credentials where deployment_id = any($1)', [
        [id, source],
      ]),
    ]);
    expect(operation).toEqual({ type: 'provision_deployment', memo: { source_id: source, backup_id: backup } });
    expect(audit?.data).toMatchObject({ restored_from: { deployment_id: source, backup_id: backup } });
    expect(runtime).toEqual({ restore_source: source, sealed: true });
    expect(nodes).toEqual(Array(3).fill({ held_at: expect.any(Date) }));
    expect(new Set(passwords.map(({ username }) => username)).size).toBe(2);
  });

  it.each([
    ['an id that is text', { deployment_id: 'x', backup_id: 1 }, '/restore_from/deployment_id'],
    ['no backup', { deployment_id: 1 }, '/restore_from/backup_id'],
    ['a member that nobody reads', { deployment_id: 1, backup_id: 1, at: 'now' }, '/restore_from/at'],
    ['null', null, '/restore_from'],
  ])('is refused with %s', async (_title, restore_from, path) => {
    const answer = await order({ restore_from });
    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('is refused when the backup is missing, expired, incomplete or of another deployment', async () => {
    const before = await count();
    const other = Number((await order()).headers.get('ld-deployment'));
    const named = (deployment_id: number, backup_id: number) => from({ restore_from: { deployment_id, backup_id } });

    expect(await named(source, 999_999)).toBeProblem('backup_not_found', { status: 404 });
    expect(await named(other, backup)).toBeProblem('backup_not_found', { status: 404 });
    expect(await named(999_999, backup)).toBeProblem('deployment_not_found', { status: 404 });
    expect(await named(source, await insertBackup('in_progress'))).toBeProblem('state_conflict', {
      state: 'in_progress',
    });
    expect(await named(source, await insertBackup('completed', 0))).toBeProblem('state_conflict', { state: 'partial' });
    const expired = await insertBackup('completed');
    await cloud.rows(`update backups set expires_at = now() where id = $1`, [expired]);
    expect(await named(source, expired)).toBeProblem('backup_not_found');
    expect(await count()).toBe(before + 1);
  });

  it('needs the storage, the broker, the Supervisor and the encryption of the backup', async () => {
    expect(await from({ storage: { size: 199 } })).toBeProblem('storage_cannot_shrink', { status: 400 });
    await cloud.rows(`update cells set broker_version = '2.0'`);
    expect(await from()).toBeProblem('backup_not_compatible', { status: 409, reason: 'broker' });
    await cloud.rows(`update cells set broker_version = '1', broker_driver = 'nats'`);
    expect(await from()).toBeProblem('backup_not_compatible', { reason: 'broker' });
    await cloud.rows(`update nodes set broker_driver = 'nats' where deployment_id = $1`, [source]);
    expect(await from()).toBeProblem('backup_not_compatible', { reason: 'nodes' });
    expect(await from({ encrypted: true })).toBeProblem('backup_not_compatible', { reason: 'encrypted' });
    await cloud.rows(`update cells set broker_driver = 'embedded'`);
    await cloud.rows(`update nodes set broker_driver = 'embedded' where deployment_id = $1`, [source]);
    await cloud.rows(`update backups set data_key_id = 'k' where id = $1`, [backup]);
    expect(await from()).toBeProblem('backup_not_compatible', { reason: 'encrypted' });
    await cloud.rows(`update backups set data_key_id = null where id = $1`, [backup]);
    await cloud.rows(`update deployment_runtimes set cell = 'elsewhere' where deployment_id = $1`, [source]);
    expect(await from()).toBeProblem('backup_not_compatible', { reason: 'region' });
    await cloud.rows(`update deployment_runtimes set cell = 'local' where deployment_id = $1`, [source]);
    expect((await from()).status).toBe(202);
  });

  it('needs the place of the snapshots, when the backup is in snapshots of a provider', async () => {
    await cloud.rows('update backup_snapshots set object_key = null where backup_id = $1', [backup]);
    await cloud.rows(
      `insert into cloud_resources (kind, name, deployment_id, driver, intent) values ('snapshot', 's', $1, 'aws', 'present')`,
      [source],
    );
    const drivers = (aws: string) => cloud.rows('update cells set cloud_drivers = cloud_drivers || $1', [{ aws }]);
    const [cell] = await cloud.rows<{ cloud_drivers: { aws: string } }>('select cloud_drivers from cells');

    expect(await from()).toBeProblem('backup_not_compatible', { status: 409, reason: 'driver' });
    await drivers('aws');
    expect(await from({ region: 'us-west-2' })).toBeProblem('backup_not_compatible', { reason: 'region' });
    await cloud.rows(`update deployments set region = 'us-west-2' where id = $1`, [source]);
    expect(await from()).toBeProblem('backup_not_compatible', { status: 409, reason: 'region' });
    await cloud.rows(`update deployments set region = 'us-east-1' where id = $1`, [source]);
    await cloud.rows(
      `insert into deployment_accounts (deployment_id, account_id, access) values ($1, '111122223333', 'x')`,
      [source],
    );
    expect(await from()).toBeProblem('backup_not_compatible', { status: 409, reason: 'account' });
    await cloud.rows('delete from deployment_accounts where deployment_id = $1', [source]);
    expect((await from()).status).toBe(202);
    await drivers(cell?.cloud_drivers.aws ?? '');
    await cloud.rows(`update backup_snapshots set object_key = 'k' where backup_id = $1`, [backup]);
  });

  it('is refused without deployment:manage at the deployment of the backup, which others cannot see', async () => {
    const { environment_id, division_id } = cloud.installation;
    const elsewhere = await cloud.main().post(`${cloud.division}/environments`, { name: 'elsewhere' });
    await cloud.rows('update deployments set environment_id = $1 where id = $2', [elsewhere.body.id, source]);
    const keyOf = (there: string[]) =>
      given.key(cloud, {
        permissions: {
          divisions: {
            [division_id]: {
              permissions: [],
              environment: [],
              environments: {
                [environment_id]: ['deployment:manage'],
                ...(there.length > 0 && { [elsewhere.body.id]: there as ['deployment:read'] }),
              },
            },
          },
        },
      });

    expect(await from({}, await keyOf([]))).toBeProblem('deployment_not_found', { status: 404 });
    expect(await from({}, await keyOf(['deployment:read']))).toBeProblem('insufficient_permissions', {
      ...{ status: 403, permission: 'deployment:manage' },
      scope: { tenant_id: cloud.installation.tenant_id, division_id, environment_id: elsewhere.body.id },
    });
    expect((await from({}, await keyOf(['deployment:manage']))).status).toBe(202);
  });
});
