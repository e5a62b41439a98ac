import { SignInRefused, TestCloud, TestDeployment } from '@libs/testing';
import { KeptTexts, numbered } from './kept-texts.js';

const ONE_NODE = { tier: 'free', cluster: 'standalone', managed_tier: undefined };
const TEXTS = 100;

/** With every broker. restore-into-new.proof.ts has what only the embedded broker does: clusters and encrypted data. */
describe('A new node from the backup of another deployment', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    // Only the tier free has one node, and a tenant has one such deployment.
    await cloud.rows(`update tenants set plan_overrides = '{"deployment_tiers": {"free": 2}}'`);
  });
  afterAll(() => cloud.stop());

  it('has the messages under its own credentials, survives a restart, and the source goes on', async () => {
    const source = await TestDeployment.paid(cloud, ONE_NODE);
    await source.openToClients();
    await new KeptTexts(source).write('kept', TEXTS);
    const backup = await cloud.runtime().post(`${source.live}/backups`, { name: 'origin' });
    await source.succeeds(backup);
    await new KeptTexts(source).write('later', TEXTS);
    const login = await source.login();
    const restore_from = { deployment_id: source.id, backup_id: Number(backup.headers.get('ld-backup')) };

    const created = await TestDeployment.paid(cloud, { ...ONE_NODE, restore_from });
    await created.openToClients();

    expect(await new KeptTexts(created).all(TEXTS)).toEqual(numbered('kept', TEXTS));
    expect(await created.login()).not.toMatchObject({ username: login.username });
    await expect(created.client(0, { login })).rejects.toThrow(SignInRefused);
    await new KeptTexts(created).write('own', TEXTS);
    expect(await new KeptTexts(source).all(2 * TEXTS)).toEqual([
      ...numbered('kept', TEXTS),
      ...numbered('later', TEXTS),
    ]);
    expect(await source.login()).toEqual(login);

    await created.succeeds(await cloud.runtime().post(`${created.live}/activities/broker/restart`));
    expect(await new KeptTexts(created).all(2 * TEXTS)).toEqual([
      ...numbered('kept', TEXTS),
      ...numbered('own', TEXTS),
    ]);
  });
});
