import { Readable } from 'node:stream';
import type { DeploymentId, DiagnosticSnapshotId, NodeId } from '@libs/domain';
import { openObjectStore } from '@libs/object-store';
import { DiagnosticSnapshotsRepository } from '@libs/persistence/runtime';
import { given, type ApiAnswer } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';
import { snapshotArchive } from '../platform/index.js';

const ARCHIVE = 'the bytes of an archive';

describe('Diagnostic snapshots', () => {
  let cloud: TestSupervisor;
  let deploymentId: DeploymentId;
  let nodeId: NodeId;
  let path: string;
  let name: string;
  let count = 0;

  beforeAll(async () => {
    cloud = await TestSupervisor.open();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    count += 1;
    name = `broker-${count}`;
    const deployment = await cloud.deployment(name);
    ({ deploymentId, nodeId } = deployment);
    path = `${deployment.path}/snapshots`;
  });

  const create = (body: object = {}): Promise<ApiAnswer> => cloud.runtime().post(path, body);
  const list = async (query = '') => (await cloud.runtime().get(`${path}${query}`)).body;
  const store = () => openObjectStore(undefined, cloud.directory);
  /** A completed snapshot with an archive, as the worker leaves it. */
  const completed = async (): Promise<DiagnosticSnapshotId> => {
    const { headers } = await create();
    const [id, operation] = ['ld-snapshot', 'ld-operation'].map((header) => Number(headers.get(header)));
    await store().put(snapshotArchive(deploymentId, id ?? 0), Readable.from([ARCHIVE]), 1_000);
    await cloud.asSupervisor((database) =>
      new DiagnosticSnapshotsRepository(database).complete(operation ?? 0, ARCHIVE.length),
    );
    await cloud.rows(`update operations set status = 'succeeded', finished_at = now() where id = $1`, [operation]);
    return id ?? 0;
  };
  const link = async (id: DiagnosticSnapshotId): Promise<string> => {
    const { body } = await cloud.runtime().get(`${path}/${id}/download`);
    return String(body.url).replace(cloud.url, '');
  };

  it('are accepted as one operation, and mask secrets unless the request says otherwise', async () => {
    const accepted = await create({ include_iggy: false });

    const [id, operation] = ['ld-snapshot', 'ld-operation'].map((header) => Number(accepted.headers.get(header)));
    expect(accepted.status).toBe(204);
    expect(await list()).toMatchObject({
      total_results: 1,
      items: [
        {
          ...{ id, deployment_id: deploymentId, deployment_name: name, node_id: null, status: 'processing' },
          ...{ name: expect.stringContaining(name), completed_at: null },
        },
      ],
    });
    expect(await cloud.operations(deploymentId)).toMatchObject([{ id: operation, type: 'take_snapshot' }]);
    expect(
      await cloud.rows('select redact_secrets, include_data from diagnostic_snapshots where id = $1', [id]),
    ).toEqual([{ redact_secrets: true, include_data: false }]);
    expect(await cloud.audit(deploymentId)).toEqual([
      { type: 'snapshot_created', data: { snapshot_id: id, name: expect.stringContaining(name) } },
    ]);
  });

  it('are taken one at a time, and within the limit of the plan', async () => {
    const id = await completed();
    await cloud.rows(
      `update tenants set plan_overrides = '{"limits": {"deployment_snapshots_limit": 1}}' where id = $1`,
      [cloud.installation.tenant_id],
    );
    const limited = await create();
    await cloud.rows(`update tenants set plan_overrides = '{}' where id = $1`, [cloud.installation.tenant_id]);

    expect(limited).toBeProblem('plan_limit_reached', { limit: 1, usage: 1 });
    expect((await create()).status).toBe(204);
    expect(await create()).toBeProblem('state_conflict', { state: 'processing' });
    expect((await list()).total_results).toBe(2);
    expect((await list(`?node=${nodeId}`)).items.at(-1)).toMatchObject({ id, status: 'completed' });
  });

  it('are downloaded by a link without a key, which nobody can change', async () => {
    const [id, other] = [await completed(), await completed()];
    const address = await link(id);

    const archive = await fetch(`${cloud.url}${address}`);

    expect(archive.headers.get('content-type')).toBe('application/zip');
    expect(archive.headers.get('cache-control')).toBe('no-store');
    expect(await archive.text()).toBe(ARCHIVE);
    const changed = address.replace(`-${id}-`, `-${other}-`);
    expect(changed).not.toBe(address);
    for (const bad of [changed, `${address}x`, '/downloads/x', '/downloads/1-1-9999999999.x'])
      expect(await cloud.runtime(null).get(bad)).toBeProblem('download_link_invalid');
  });

  it('have no link before they are completed', async () => {
    const { headers } = await create();

    const answer = await cloud.runtime().get(`${path}/${headers.get('ld-snapshot')}/download`);

    expect(answer).toBeProblem('state_conflict', { state: 'processing' });
    expect(JSON.stringify(answer.body)).not.toContain('/downloads/');
  });

  it('are deleted by one operation, and are hidden at once', async () => {
    const id = await completed();
    const address = await link(id);

    const accepted = await cloud.runtime().delete(`${path}/${id}`);

    expect(accepted.status).toBe(204);
    expect((await cloud.operations(deploymentId)).at(-1)).toMatchObject({
      ...{ id: Number(accepted.headers.get('ld-operation')), type: 'delete_snapshot' },
      memo: { snapshot_id: id },
    });
    expect((await list()).items).toEqual([]);
    expect(await cloud.runtime(null).get(address)).toBeProblem('snapshot_not_found');
    expect(await cloud.runtime().delete(`${path}/${id}`)).toBeProblem('snapshot_not_found');
    expect((await cloud.audit(deploymentId)).map(({ type }) => type)).toEqual(['snapshot_created', 'snapshot_deleted']);
  });

  it('are refused with values that are no flags, and then change nothing', async () => {
    const answer = await create({ redact_secrets: 'no', include_iggy: 1 });

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map(({ path: at }: { path: string }) => at).sort()).toEqual([
      '/include_iggy',
      '/redact_secrets',
    ]);
    expect(await cloud.operations(deploymentId)).toEqual([]);
  });

  it('need the permission to manage the deployment', async () => {
    const id = await completed();
    const reader = cloud.runtime(await given.key(cloud, { permissions: { environment: ['deployment:read'] } }));

    expect((await reader.get(path)).status).toBe(200);
    for (const answer of [await reader.post(path), await reader.delete(`${path}/${id}`)])
      expect(answer).toBeProblem('insufficient_permissions', { permission: 'deployment:manage' });
    expect(await list()).toMatchObject({ items: [{ id, status: 'completed' }] });
  });

  it('of another deployment or organization are not found and not shown', async () => {
    const id = await completed();
    const other = await cloud.deployment();
    const foreign = await cloud.foreignDeployment('their-broker');
    const answers = [
      await cloud.runtime().get(`${foreign.path}/snapshots`),
      await cloud.runtime().post(`${foreign.path}/snapshots`),
    ];

    for (const answer of answers) {
      expect(answer).toBeProblem('deployment_not_found', { status: 404 });
      expect(JSON.stringify(answer.body)).not.toContain('their-broker');
    }
    expect(await cloud.runtime().get(`${other.path}/snapshots/${id}/download`)).toBeProblem('snapshot_not_found');
    expect(await cloud.runtime().delete(`${other.path}/snapshots/${id}`)).toBeProblem('snapshot_not_found');
    expect(await cloud.operations(foreign.deploymentId)).toEqual([]);
  });
});
