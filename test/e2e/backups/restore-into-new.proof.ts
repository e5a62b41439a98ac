import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TestCloud, TestDeployment } from '@libs/testing';

const MARK = 'a-message-of-the-first-deployment';
const MESSAGE = Buffer.from(`${MARK} ${'x'.repeat(5_000)}`);

/** New deployments from the backup of a deployment that goes on serving, on real nodes. */
describe('A new deployment from a backup', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  const retained = async (deployment: TestDeployment): Promise<string> => {
    const reader = await deployment.connect();
    const received = new Promise<string>((resolve) =>
      reader.once('message', (_topic, payload: Buffer) => resolve(payload.toString())),
    );
    await reader.subscribeAsync('orders/#', { qos: 1 });
    return received.finally(() => reader.endAsync());
  };
  const publish = async (deployment: TestDeployment, payload: Buffer): Promise<void> => {
    const client = await deployment.connect();
    await client.publishAsync('orders/1', payload, { qos: 1, retain: true });
    await client.endAsync();
  };
  const hasMark = async (deployment: TestDeployment): Promise<boolean> => {
    const directories = (await deployment.nodes()).map(({ id }) => join(cloud.directory, 'nodes', String(id)));
    const files = await Promise.all(
      directories.map(async (directory) =>
        (await readdir(directory, { withFileTypes: true, recursive: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name)),
      ),
    );
    const contents = await Promise.all(files.flat().map((file) => readFile(file)));
    return contents.some((content) => content.includes(MARK));
  };
  const backedUp = async (deployment: TestDeployment): Promise<object> => {
    const backup = await cloud.runtime().post(`${deployment.live}/backups`, { name: 'origin' });
    await deployment.succeeds(backup);
    return { deployment_id: deployment.id, backup_id: Number(backup.headers.get('ld-backup')) };
  };

  it.each([
    ['plain', false],
    ['encrypted', true],
  ])('has the messages of the %s source under its own key, and the source goes on', async (_kind, encrypted) => {
    const source = await TestDeployment.paid(cloud, { encrypted });
    await source.openToClients();
    await publish(source, MESSAGE);
    const [restore_from, login] = [await backedUp(source), await source.login()];
    await publish(source, Buffer.from('a later message of the source'));

    const created = await TestDeployment.paid(cloud, { encrypted: true, restore_from });
    await created.openToClients();

    expect(await retained(created)).toContain(MARK);
    expect(await hasMark(created)).toBe(false);
    expect(await created.login()).not.toMatchObject({ username: login.username });
    await expect(created.connect(0, login)).rejects.toThrow(/not authorized|bad user/i);
    expect(await retained(source)).toBe('a later message of the source');
    expect((await source.detail()).status).toBe('initialized');
    expect(await source.login()).toEqual(login);

    const next = await TestDeployment.paid(cloud, { encrypted: true, restore_from: await backedUp(created) });
    await next.openToClients();
    expect(await retained(next)).toContain(MARK);
  });
});
