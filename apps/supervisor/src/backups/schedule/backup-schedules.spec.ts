import { given } from '@libs/testing';
import { TestSupervisor } from '../../../test/test-supervisor.fixture.js';

describe('The schedule of backups', () => {
  let cloud: TestSupervisor;
  let path: string;
  let deploymentId: number;

  beforeAll(async () => {
    cloud = await TestSupervisor.open();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    const deployment = await cloud.deployment();
    ({ deploymentId } = deployment);
    path = `${deployment.path}/backups/schedule`;
  });

  const put = (body: object, headers = {}) => cloud.runtime().put(path, body, headers);

  it('is set, read, replaced and deleted, each with an audit entry', async () => {
    expect(await cloud.runtime().get(path)).toBeProblem('backup_schedule_not_found', { status: 404 });

    const set = await put({ cron: '0 3 * * *', keep: 5 });
    expect(set).toMatchObject({
      status: 200,
      body: { cron: '0 3 * * *', every_hours: null, keep: 5, status: 'active' },
    });
    expect(set.body.next_at).toMatch(/T03:(0|1)\d:\d\d\.000Z$/);
    expect((await cloud.runtime().get(path)).body).toEqual(set.body);
    const replaced = await put({ every_hours: 6, keep: 2 });
    expect(replaced.body).toMatchObject({ cron: null, every_hours: 6, keep: 2 });
    expect((await cloud.runtime().delete(path)).status).toBe(204);
    expect(await cloud.runtime().delete(path)).toBeProblem('backup_schedule_not_found');

    const audit = await cloud.rows(
      `select type, data from audit_entries where deployment_id = $1 and type like 'backup_schedule%' order by id`,
      [deploymentId],
    );
    expect(audit).toEqual([
      { type: 'backup_schedule_set', data: { cron: '0 3 * * *', every_hours: null, keep: 5, previous: null } },
      {
        type: 'backup_schedule_set',
        data: {
          ...{ cron: null, every_hours: 6, keep: 2 },
          previous: { cron: '0 3 * * *', every_hours: null, keep: 5 },
        },
      },
      { type: 'backup_schedule_deleted', data: { cron: null, every_hours: 6, keep: 2 } },
    ]);
  });

  it('accepts the record that was read, which changes and records nothing, and honours if-match', async () => {
    await put({ every_hours: 24, keep: 3 });
    const read = await cloud.runtime().get(path);

    expect((await put(read.body)).body).toEqual(read.body);
    expect(await put({ every_hours: 12, keep: 3 }, { 'if-match': '"stale"' })).toBeProblem('precondition_failed');
    const etag = read.headers.get('etag') ?? '';
    expect((await put({ every_hours: 12, keep: 3 }, { 'if-match': etag })).status).toBe(200);
    const audit = await cloud.rows(
      `select 1 from audit_entries where deployment_id = $1 and type = 'backup_schedule_set'`,
      [deploymentId],
    );
    expect(audit).toHaveLength(2);
  });

  it.each([
    ['a cron that never comes', { cron: '0 3 30 2 *', keep: 1 }, '/cron'],
    ['backups less than an hour apart', { cron: '*/30 * * * *', keep: 1 }, '/cron'],
    ['seconds', { cron: '0 0 3 * * *', keep: 1 }, '/cron'],
    ['no time', { keep: 1 }, ''],
    ['two times', { cron: '0 3 * * *', every_hours: 3, keep: 1 }, ''],
    ['no hours', { every_hours: 0, keep: 1 }, '/every_hours'],
    ['nothing to keep', { every_hours: 1, keep: 0 }, '/keep'],
    ['another type', { every_hours: '1', keep: 1 }, '/every_hours'],
  ])('refuses %s', async (_, body, at) => {
    const answer = await put(body);

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map((issue: { path: string }) => issue.path)).toEqual([at]);
    expect(await cloud.rows('select 1 from backup_schedules where deployment_id = $1', [deploymentId])).toEqual([]);
  });

  it('keeps no more than the plan allows, and needs a plan with backups', async () => {
    const limit = (limits: object, flags: object = {}) =>
      cloud.rows('update tenants set plan_overrides = $1', [JSON.stringify({ limits, flags })]);
    await limit({ deployment_backups_limit: 4 });
    expect(await put({ every_hours: 1, keep: 5 })).toBeProblem('plan_limit_reached', { limit: 4, requested: 5 });
    expect((await put({ every_hours: 1, keep: 4 })).status).toBe(200);
    await limit({}, { backup_enabled: false });
    expect(await put({ every_hours: 2, keep: 4 })).toBeProblem('plan_feature_required', { feature: 'backup_enabled' });
    await limit({});
  });

  it('is refused where no backup can be taken', async () => {
    await cloud.rows(`update deployments set features = '{}' where id = $1`, [deploymentId]);
    expect(await put({ every_hours: 1, keep: 1 })).toBeProblem('feature_unavailable', { feature: 'backup' });
    await cloud.rows(`update deployments set cloud = 'gcp' where id = $1`, [deploymentId]);
    expect(await put({ every_hours: 1, keep: 1 })).toBeProblem('backup_not_supported');
  });

  it('needs deployment:manage to change', async () => {
    const key = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });
    await put({ every_hours: 1, keep: 1 });

    expect((await cloud.runtime(key).get(path)).status).toBe(200);
    expect(await cloud.runtime(key).put(path, { every_hours: 2, keep: 1 })).toBeProblem('insufficient_permissions');
    expect(await cloud.runtime(key).delete(path)).toBeProblem('insufficient_permissions');
  });
});
