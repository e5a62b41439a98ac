import { eventually, given, itWithCluster, TestCloud, TestDeployment, type ApiAnswer } from '@libs/testing';

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', cluster: 'cluster' };

/** Which deployments can be backed up, when, and how many backups a plan allows (C-19.1, C-19.5, C-10.7). */
describe('Backups', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let path: string;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.largest(cloud);
    path = `${deployment.live}/backups`;
  });
  afterAll(() => cloud.stop());

  const take = (more: object = {}, of = path): Promise<ApiAnswer> =>
    cloud.runtime().post(of, { name: 'nightly', ...more });
  const taken = async (more: object = {}): Promise<number> => {
    const answer = await take(more);
    await deployment.succeeds(answer);
    return Number(answer.headers.get('ld-backup'));
  };
  const listed = async () => (await cloud.runtime().get(path)).body;
  const remove = async (id: number): Promise<void> =>
    deployment.succeeds(await cloud.runtime().delete(`${path}/${id}`));
  const setPlan = (plan: string) => cloud.rows('update tenants set plan = $1', [plan]);
  const daysOf = ({ created_at, expires_at }: { created_at: string; expires_at: string }): number =>
    Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000);

  it('are not supported for gcp', async () => {
    // The organization has its one Free deployment where the broker forms no clusters.
    const theirs = await given.cloudOf(cloud, await given.tenant(cloud));
    const onGcp = await TestDeployment.free(theirs, { cloud: 'gcp', region: 'us-central1' });

    const refused = await theirs.runtime().post(`${onGcp.live}/backups`, { name: 'nightly' });

    expect(refused).toBeProblem('backup_not_supported');
    await onGcp.delete();
  });

  itWithCluster('are not supported for Local NVMe', async () => {
    const body = { ...SHAPE, name: 'nvme', managed_tier: 'performance', storage: { type: 'local_ssd' } };
    const accepted = await cloud.main().post(`${cloud.environment}/deployments/managed`, body);
    expect(accepted.status).toBe(202);
    const id = accepted.headers.get('ld-deployment');

    expect(await take({}, `/deployments/${id}/backups`)).toBeProblem('backup_not_supported');

    await cloud.main().delete(`${cloud.environment}/deployments/${id}`);
  });

  it('require a plan with the feature backup_enabled', async () => {
    await setPlan('basic');
    const refused = await take();
    await setPlan('enterprise');

    expect(refused).toBeProblem('plan_feature_required', { feature: 'backup_enabled' });
  });

  it('name the error of an invalid request', async () => {
    expect(await take({ node_id: 999_999 })).toBeProblem('validation_failed');
    expect(await take({ expires_in_days: 0 })).toBeProblem('validation_failed');
    expect(await take({ backup_type: 'weekly' })).toBeProblem('validation_failed');
    expect(await take({ name: '' })).toBeProblem('validation_failed');
    expect(await take({ expires_in_days: 366 })).toBeProblem('retention_above_maximum', { maximum: 365 });
    expect(await cloud.runtime().post(`${path}/999999/restore`)).toBeProblem('backup_not_found');
  });

  it('are taken one at a time, and cannot be deleted or restored while they are taken', async () => {
    const whole = await taken({ backup_type: 'scheduled', expires_in_days: 3 });
    const going = await taken();
    // Simulates a backup whose archives are still uploaded.
    await cloud.rows(`update backups set status = 'in_progress' where id = $1`, [going]);

    const refused = [await take(), await cloud.runtime().delete(`${path}/${going}`)];
    refused.push(
      ...[
        await cloud.runtime().post(`${path}/${going}/restore`),
        await cloud.runtime().post(`${path}/${whole}/restore`),
      ],
    );
    await cloud.rows(`update backups set status = 'completed' where id = $1`, [going]);

    for (const answer of refused) expect(answer).toBeProblem('state_conflict', { state: 'in_progress' });
    const found = (await listed()).find(({ id }: { id: number }) => id === whole);
    expect([found.backup_type, daysOf(found)]).toEqual(['scheduled', 3]);
    await remove(going);
  });

  itWithCluster(
    'of one node contain only its data, and are not restored where other nodes would have no data',
    async () => {
      const [leader, follower] = await deployment.nodes();
      const partial = await taken({ node_id: follower?.id });
      const whole = await taken({ node_id: leader?.id });

      const backups = (await listed()).filter(({ id }: { id: number }) => [partial, whole].includes(id));
      expect(
        backups.map(({ node_id, snapshot_ids }: { node_id: number; snapshot_ids: string[] }) => [
          node_id,
          snapshot_ids.length,
        ]),
      ).toEqual([
        [leader?.id, 1],
        [follower?.id, 1],
      ]);
      if (leader?.driver === 'embedded')
        expect(await cloud.runtime().post(`${path}/${partial}/restore`)).toBeProblem('state_conflict', {
          state: 'partial',
          nodes: [leader.id],
        });
      await remove(partial);
      await remove(whole);
    },
  );

  it('are limited in number and in retention by the plan', async () => {
    await setPlan('pro');
    while ((await listed()).length < 3) await taken();

    const refused = await take();
    await setPlan('enterprise');

    expect(refused).toBeProblem('plan_limit_reached', { limit_name: 'deployment_backups_limit', limit: 3, usage: 3 });
    expect(daysOf((await listed())[0])).toBe(30);
  });

  itWithCluster('are limited to the number of regions that the plan allows', async () => {
    const elsewhere = await TestDeployment.paid(cloud, { region: 'eu-central-1' });
    await setPlan('pro');

    const refused = await take({}, `${elsewhere.live}/backups`);
    await setPlan('enterprise');

    expect(refused).toBeProblem('plan_limit_reached', { limit_name: 'backup_regions_limit', limit: 1 });
    await elsewhere.delete();
  });

  it('are deleted automatically when they expire', async () => {
    const [{ id }] = await listed();
    await cloud.rows('update backups set expires_at = now() where id = $1', [id]);

    await eventually(
      'the backup is gone',
      async () => !(await listed()).some((backup: { id: number }) => backup.id === id),
      60_000,
    );
  });

  itWithCluster('are taken automatically before an upgrade', async () => {
    for (const { id } of await listed()) await remove(id);

    await deployment.succeeds(await cloud.main().post(`${deployment.path}/upgrade`, { tier: 'medium' }));

    expect(await listed()).toEqual([expect.objectContaining({ backup_type: 'pre_upgrade', status: 'completed' })]);
  });
});
