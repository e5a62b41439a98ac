import type { DeploymentId, NodeId } from '@libs/domain';
import { given, type ApiAnswer } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

const TCP = { broker_tcp: true };
const ALL_FLAGS = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };

describe('Access rules', () => {
  let cloud: TestSupervisor;
  let deploymentId: DeploymentId;
  let nodeId: NodeId;
  let path: string;

  beforeAll(async () => {
    cloud = await TestSupervisor.open();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    const deployment = await cloud.deployment();
    ({ deploymentId, nodeId } = deployment);
    path = `${deployment.path}/access_rules`;
  });

  const create = (body: object = {}): Promise<ApiAnswer> =>
    cloud.runtime().post(path, { name: 'office', cidr_blocks: ['10.0.0.0/8'], rules: TCP, ...body });
  const onNode = async () => (await cloud.document(nodeId)).spec.access_rules;

  it('are added to the document of every node, with canonical blocks, and are audited', async () => {
    const created = await create({ cidr_blocks: ['10.0.0.0/8', '::ffff:10.0.0.0/104'], remarks: 'Head office' });

    expect(created.status).toBe(201);
    expect(created.headers.get('ld-access-rule')).toBe(String(created.body.id));
    expect(created.body).toMatchObject({
      ...{ name: 'office', remarks: 'Head office', cidr_blocks: ['10.0.0.0/8'], rules: ALL_FLAGS, unavailable: [] },
    });
    expect((await cloud.runtime().get(path)).body).toEqual([created.body]);
    expect(await onNode()).toEqual([expect.objectContaining({ id: created.body.id, cidrs: ['10.0.0.0/8'] })]);
    expect(await cloud.audit(deploymentId)).toEqual([
      {
        type: 'access_rule_added',
        data: { cidrs: ['10.0.0.0/8'], description: 'Head office', rules: ALL_FLAGS },
      },
    ]);
  });

  it('can admit the caller, whose address the API tells', async () => {
    const { status, body } = await cloud.runtime().get(`${path}/caller`);

    expect([status, body]).toEqual([200, { address: '127.0.0.1', cidr: '127.0.0.1/32' }]);
    expect((await create({ cidr_blocks: [body.cidr] })).status).toBe(201);
  });

  it('are removed from the document of every node when they are deleted', async () => {
    const { body } = await create();
    expect(await onNode()).toHaveLength(1);

    expect((await cloud.runtime().delete(`${path}/${body.id}`)).status).toBe(204);
    expect(await cloud.runtime().delete(`${path}/${body.id}`)).toBeProblem('access_rule_not_found');

    expect(await onNode()).toEqual([]);
    expect((await cloud.audit(deploymentId)).map(({ type }) => type)).toEqual([
      'access_rule_added',
      'access_rule_deleted',
    ]);
  });

  it('show the protocols that the broker does not offer', async () => {
    const { body } = await create({ rules: { broker_tcp: true, broker_udp: true } });

    expect(body.unavailable).toEqual(['broker_udp']);
  });

  it('are refused with each fault of the request, and then change nothing', async () => {
    const before = await cloud.document(nodeId);
    const answer = await create({ cidr_blocks: ['10.0.0.1', '::/0'], rules: {}, valid_to: '2020-01-01T00:00:00Z' });

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map(({ path: at }: { path: string }) => at)).toEqual([
      '/cidr_blocks/0',
      '/cidr_blocks/1',
      '/rules',
      '/valid_to',
    ]);
    expect(await cloud.document(nodeId)).toEqual(before);
    expect(await cloud.audit(deploymentId)).toEqual([]);
  });

  it.each([
    ['203.0.113.7/0', '203.0.113.7/32 or 0.0.0.0/0'],
    ['203.0.113.7/24', '203.0.113.7/32 or 203.0.113.0/24'],
  ])('with bits of hosts are refused, with both meanings: %s', async (block, meanings) => {
    const answer = await create({ cidr_blocks: ['10.0.0.0/8', block] });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues).toEqual([
      { path: '/cidr_blocks/1', code: 'is_ipv4_cidr', reason: `has bits of hosts: did you mean ${meanings}` },
    ]);
    expect(await onNode()).toEqual([]);
  });

  it('have unique names within their deployment, ignoring case', async () => {
    const { body } = await create();
    const other = await cloud.deployment();

    expect(await create({ name: 'OFFICE' })).toBeProblem('name_taken', { id: body.id });
    const elsewhere = { name: 'office', cidr_blocks: ['10.0.0.0/8'], rules: TCP };
    expect((await cloud.runtime().post(`${other.path}/access_rules`, elsewhere)).status).toBe(201);
  });

  it('do not change while the deployment is being deleted', async () => {
    const { body } = await create();
    await cloud.rows(`update deployment_runtimes set status = 'deleting' where deployment_id = $1`, [deploymentId]);

    expect(await create({ name: 'late' })).toBeProblem('state_conflict', { state: 'deleting' });
    expect(await cloud.runtime().delete(`${path}/${body.id}`)).toBeProblem('state_conflict', { state: 'deleting' });
  });

  it('need the permission to manage them, and the permission to read them', async () => {
    const reader = cloud.runtime(await given.key(cloud, { permissions: { environment: ['deployment:access:read'] } }));
    const stranger = cloud.runtime(await given.key(cloud, { permissions: { environment: ['deployment:read'] } }));

    expect((await reader.get(path)).status).toBe(200);
    expect(await reader.post(path, {})).toBeProblem('insufficient_permissions', {
      permission: 'deployment:access:manage',
    });
    expect(await stranger.get(path)).toBeProblem('insufficient_permissions', { permission: 'deployment:access:read' });
    expect(await onNode()).toEqual([]);
  });

  it('of another organization are not found and not shown', async () => {
    const foreign = await cloud.foreignDeployment('their-broker');
    const answers = [
      await cloud.runtime().get(`${foreign.path}/access_rules`),
      await cloud.runtime().post(`${foreign.path}/access_rules`, { name: 'x', cidr_blocks: ['0.0.0.0/0'], rules: TCP }),
    ];

    for (const answer of answers) {
      expect(answer).toBeProblem('deployment_not_found', { status: 404 });
      expect(JSON.stringify(answer.body)).not.toContain('their-broker');
    }
    expect((await cloud.document(foreign.nodeId)).spec.access_rules).toEqual([]);
  });
});
