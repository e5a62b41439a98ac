import { itWithMqtt, TestCloud, TestDeployment, type ApiAnswer } from '@libs/testing';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KeptTexts, numbered } from './kept-texts.js';
import { OfflineQueue } from './offline-queue.js';

/** Messages that are published without waiting for acknowledgements. */
const AT_ONCE = 50;

/** Backups and restores of real nodes, three nodes per deployment where the broker forms clusters. */
describe('A backup', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let path: string;
  let texts: KeptTexts;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.largest(cloud);
    path = `${deployment.live}/backups`;
    await deployment.permit();
    texts = new KeptTexts(deployment);
  });
  afterAll(() => cloud.stop());

  const take = (more: object = {}): Promise<ApiAnswer> => cloud.runtime().post(path, { name: 'nightly', ...more });
  const listed = async () => (await cloud.runtime().get(path)).body;
  const idOf = (taken: ApiAnswer): number => Number(taken.headers.get('ld-backup'));
  const restore = (id: number): Promise<ApiAnswer> => cloud.runtime().post(`${path}/${id}/restore`);
  const archives = (id: number): string =>
    join(cloud.directory, 'objects/deployments', `${deployment.id}/backups/${id}`);

  it('restores exactly the messages that existed when it was taken', async () => {
    await texts.write('first', 1_000);
    const taken = await take({ remarks: 'before the second thousand' });
    expect(taken.status).toBe(204);
    await deployment.succeeds(taken);
    await texts.write('second', 1_000);

    const restored = await restore(idOf(taken));
    expect(restored.status).toBe(204);
    await deployment.succeeds(restored);

    expect(await texts.all(1_000)).toEqual(numbered('first', 1_000));
    expect((await deployment.detail()).status).toBe('initialized');
    const nodes = (await deployment.nodes()).map(({ id }) => id);
    expect((await listed())[0]).toEqual({
      ...{ id: idOf(taken), deployment_id: deployment.id, node_id: null, name: 'nightly', backup_type: 'manual' },
      ...{ status: 'completed', region: 'us-east-1', remarks: 'before the second thousand' },
      snapshot_ids: nodes.map((id) => `snapshot-${idOf(taken)}-${id}`),
      volume_ids: nodes.map((id) => `volume-${id}`),
      size_bytes: expect.any(Number),
      ...{ started_at: expect.any(String), completed_at: expect.any(String) },
      ...{ expires_at: expect.any(String), created_at: expect.any(String) },
    });
    // The restore leaves no extra files in the data of the nodes.
    const files = await readdir(join(cloud.directory, 'nodes', String(nodes[0])));
    expect(files.filter((name) => /before|incoming|frozen/.test(name))).toEqual([]);
  });

  it('is listed with its status, and with no other', async () => {
    const of = async (status: string) => (await cloud.runtime().get(`${path}?status=${status}`)).body;

    expect(await of('completed')).toEqual(await listed());
    expect((await listed()).length).toBeGreaterThan(0);
    expect(await of('failed')).toEqual([]);
    expect(await cloud.runtime().get(`${path}?status=gone`)).toBeProblem('validation_failed');
  });

  itWithMqtt('restores the messages for an offline subscriber, in the order of publication', async () => {
    const queue = new OfflineQueue(deployment);
    const kept = Array.from({ length: 1_000 }, (_, index) => `kept-${index}`);
    await queue.begin();
    for (let first = 0; first < kept.length; first += AT_ONCE) await queue.publish(kept.slice(first, first + AT_ONCE));
    const taken = await take();
    await deployment.succeeds(taken);
    await queue.publish(['lost']);

    await deployment.succeeds(await restore(idOf(taken)));

    expect(await queue.drain()).toEqual(kept);
  });

  it('is refused when it is damaged, before any node is stopped', async () => {
    const taken = await take();
    await deployment.succeeds(taken);
    const [first = ''] = await readdir(archives(idOf(taken)));
    await appendFile(join(archives(idOf(taken)), first), 'x');
    const client = await deployment.admits();

    const outcome = await deployment.outcome(await restore(idOf(taken)));

    expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('damaged') });
    expect(client.isCut).toBe(false);
    expect((await deployment.detail()).status).toBe('initialized');
    await client.close();
  });

  it('is deleted with all its stored archives', async () => {
    const taken = await take();
    await deployment.succeeds(taken);
    const id = idOf(taken);
    expect(await readdir(archives(id))).toHaveLength((await deployment.nodes()).length);

    const deleted = await cloud.runtime().delete(`${path}/${id}`);
    expect(deleted.status).toBe(204);
    await deployment.succeeds(deleted);

    expect((await listed()).map((backup: { id: number }) => backup.id)).not.toContain(id);
    await expect(readdir(archives(id))).rejects.toThrow('ENOENT');
    expect(await cloud.runtime().delete(`${path}/${id}`)).toBeProblem('backup_not_found');
  });
});
