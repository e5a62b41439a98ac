import { LocalOtherSide, type LocalConnectionKind } from '@libs/cloud';
import { TenantCommands } from '@libs/operator';
import { eventually, TestCloud, TestDeployment, type ApiAnswer } from '@libs/testing';

const PATIENCE_MS = 30_000;
const AWS = { peer_vpc_id: 'vpc-0123456789abcdef0', peer_owner_id: '123456789012', peer_vpc_cidr: '172.20.0.0/16' };
const TERMS = { managed_tier: 'enterprise' };
const GCP = { peer_vpc_name: 'default', peer_project_id: 'their-project', peer_vpc_cidr: '172.21.0.0/16' };

/** Private networking on the local cloud. The tests play the other side. */
describe('Private networking', () => {
  let cloud: TestCloud;
  let aws: TestDeployment;
  let other: LocalOtherSide;
  beforeAll(async () => {
    cloud = await TestCloud.start();
    other = new LocalOtherSide(cloud.directory);
    aws = await TestDeployment.paid(cloud, TERMS);
  });
  afterAll(() => cloud.stop());

  const networkPath = (of: TestDeployment, path: string) => `${of.live}/network/${path}`;
  const make = async (of: TestDeployment, path: string, body: object): Promise<number> => {
    const answer = await cloud.runtime().post(networkPath(of, path), body);
    expect([answer.status, answer.body]).toEqual([204, null]);
    await of.succeeds(answer);
    const names = ['ld-peering', 'ld-endpoint-service', 'ld-attachment'];
    return Number(names.map((name) => answer.headers.get(name)).find(Boolean));
  };
  const read = async (of: TestDeployment, path: string, id: number): Promise<any> =>
    (await cloud.runtime().get(networkPath(of, path))).body.find((one: { id: number }) => one.id === id);
  const becomes = (of: TestDeployment, path: string, id: number, state: string): Promise<any> =>
    eventually(
      `${path} ${id} is ${state}`,
      async () => {
        const found = await read(of, path, id);
        return (found?.status ?? found?.state) === state ? found : null;
      },
      PATIENCE_MS,
    );
  const instructionsOf = async (of: TestDeployment, path: string, id: number) =>
    (await cloud.runtime().get(networkPath(of, `${path}/${id}/instructions`))).body;
  const remove = async (of: TestDeployment, path: string, id: number): Promise<void> => {
    const answer = await cloud.runtime().delete(networkPath(of, `${path}/${id}`));
    expect(answer.status).toBe(204);
    await of.succeeds(answer);
    expect(await read(of, path, id)).toBeUndefined();
  };
  /** The name of the newest private connection of this kind in the local cloud. */
  const localConnectionOf = async (
    kind: LocalConnectionKind,
    of: TestDeployment,
  ): Promise<{ name: string; kind: LocalConnectionKind }> => {
    const found = (await other.list())
      .filter((connection) => connection.kind === kind && connection.deployment_id === of.id)
      .at(-1);
    return { name: found?.name ?? '', kind };
  };

  describe('by VPC peering on AWS', () => {
    const path = 'aws/vpc_peering';

    it('waits for the other side, is accepted there, and becomes active', async () => {
      const id = await make(aws, path, { name: 'accepted', ...AWS, remarks: 'the data team' });
      const waiting = await read(aws, path, id);
      const instructions = await instructionsOf(aws, path, id);
      await other.accept(await localConnectionOf('vpc_peering', aws));
      const active = await becomes(aws, path, id, 'active');

      expect(waiting).toMatchObject({
        ...{ name: 'accepted', status: 'pending_acceptance', remarks: 'the data team' },
        ...{ accepter_vpc_id: AWS.peer_vpc_id, accepter_owner_id: AWS.peer_owner_id, accepter_cidr: AWS.peer_vpc_cidr },
        ...{ requester_region: 'us-east-1', accepter_region: 'us-east-1' },
      });
      expect(waiting.peering_connection_id).toMatch(/^pcx-[0-9a-f]{17}$/);
      expect(waiting.requester_cidr).toMatch(/^10\./);
      expect(instructions).toMatchObject({ status: 'pending_acceptance' });
      expect(instructions.steps[0].command).toContain(waiting.peering_connection_id);
      expect(active).toMatchObject({ peering_connection_id: waiting.peering_connection_id });
      expect((await instructionsOf(aws, path, id)).status).toBe('active');
      await remove(aws, path, id);
    });

    it.each([
      ['rejected', 'reject'],
      ['expired', 'expire'],
    ] as const)('becomes %s when the other side changes it, and can be deleted', async (status, move) => {
      const id = await make(aws, path, { name: status, ...AWS });
      await other[move](await localConnectionOf('vpc_peering', aws));

      await becomes(aws, path, id, status);

      expect((await instructionsOf(aws, path, id)).status).toBe(status);
      await remove(aws, path, id);
    });

    it('is refused for a network that overlaps ours or that is already peered', async () => {
      const id = await make(aws, path, { name: 'first', ...AWS });
      const { requester_cidr } = await read(aws, path, id);
      const post = (more: object) => cloud.runtime().post(networkPath(aws, path), { name: 'second', ...AWS, ...more });

      const around = requester_cidr.replace(/\.\d+\.\d+\/\d+$/, '.0.0/16');
      for (const peer_vpc_cidr of [requester_cidr, around, '172.20.3.0/24'])
        expect((await post({ peer_vpc_cidr })).body.field_issues).toMatchObject([
          { path: '/peer_vpc_cidr', code: 'overlaps' },
        ]);
      expect(await post({ name: 'FIRST', peer_vpc_cidr: '172.30.0.0/16' })).toBeProblem('name_taken');
      await remove(aws, path, id);
    });

    it('is created once for parallel requests with the same network', async () => {
      const post = (name: string) =>
        cloud.runtime().post(networkPath(aws, path), { name, ...AWS, peer_vpc_cidr: '172.22.0.0/16' });

      const answers = await Promise.all(['one', 'two', 'three'].map(post));

      expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
      const made = answers.find(({ status }) => status === 204);
      await remove(aws, path, Number(made?.headers.get('ld-peering')));
    });

    it.each([
      [{ peer_owner_id: '12345678901' }, '/peer_owner_id'],
      [{ peer_owner_id: '1234567890123' }, '/peer_owner_id'],
      [{ peer_vpc_id: 'vpc-1' }, '/peer_vpc_id'],
      [{ peer_vpc_cidr: '172.20.0.1/16' }, '/peer_vpc_cidr'],
      [{ peer_vpc_cidr: undefined }, '/peer_vpc_cidr'],
      [{ peer_region: 'nowhere' }, '/peer_region'],
      [{ name: '' }, '/name'],
      [{ remarks: 'x'.repeat(501) }, '/remarks'],
      [{ surprise: 1 }, '/surprise'],
    ])('refuses %j', async (wrong, at) => {
      const answer = await cloud.runtime().post(networkPath(aws, path), { name: 'wrong', ...AWS, ...wrong });

      expect(answer).toBeProblem('validation_failed');
      expect(answer.body.field_issues.map((issue: { path: string }) => issue.path)).toContain(at);
    });
  });

  it('is an endpoint service on AWS with the service name for endpoints', async () => {
    const path = 'aws/private_link';
    const principal = 'arn:aws:iam::123456789012:root';
    const id = await make(aws, path, { name: 'orders', allowed_principals: [principal] });

    const service = await read(aws, path, id);

    expect(service).toMatchObject({
      ...{ name: 'orders', acceptance_required: true, allowed_principals: [principal], state: 'available' },
      vpc_endpoint_service_id: expect.stringMatching(/^vpce-svc-[0-9a-f]{17}$/),
    });
    expect(service.service_name).toBe(`com.amazonaws.vpce.us-east-1.${service.vpc_endpoint_service_id}`);
    const wrong = await cloud.runtime().post(networkPath(aws, path), { name: 'x', allowed_principals: ['everybody'] });
    expect(wrong).toBeProblem('validation_failed');
    await remove(aws, path, id);
  });

  it('requires a plan and a managed tier that include it, and stays below the limits of the plan', async () => {
    const peering = (more: object = {}): Promise<ApiAnswer> =>
      cloud.runtime().post(networkPath(aws, 'aws/vpc_peering'), { name: 'terms', ...AWS, ...more });
    const link = (): Promise<ApiAnswer> => cloud.runtime().post(networkPath(aws, 'aws/private_link'), { name: 'x' });
    // A deployment of each tier would need a dozen more processes.
    const terms = (name: string) =>
      cloud.rows('update deployments set managed_tier = $2 where id = $1', [aws.id, name]);
    await terms('standard');
    expect(await peering()).toBeProblem('plan_feature_required');
    await terms('performance');
    expect(await link()).toBeProblem('plan_feature_required');
    const permitted = await peering();
    expect(permitted.status).toBe(204);
    await aws.succeeds(permitted);
    await terms('enterprise');

    const { tenant_id } = cloud.installation;
    const plan = (...overrides: string[]) =>
      cloud.asOperator((session) => new TenantCommands(session).setPlan(tenant_id, 'enterprise', overrides));
    await plan('private_connections_limit=1', 'private_endpoints_limit=0');
    expect(await peering({ name: 'one more', peer_vpc_cidr: '172.23.0.0/16' })).toBeProblem('plan_limit_reached', {
      limit_name: 'private_connections_limit',
      limit: 1,
      usage: 1,
    });
    expect(await link()).toBeProblem('plan_limit_reached');
    await plan('private_connections_limit=', 'private_endpoints_limit=', 'private_networking_enabled=false');
    expect(await peering()).toBeProblem('plan_feature_required', { feature: 'private_networking_enabled' });
    await plan('private_networking_enabled=');
    await remove(aws, 'aws/vpc_peering', Number(permitted.headers.get('ld-peering')));
  });

  it('is limited to the cloud in the path, and to managed deployments', async () => {
    const free = await TestDeployment.free(cloud);

    for (const answer of [
      await cloud.runtime().post(networkPath(aws, 'gcp/psc'), { name: 'x' }),
      await cloud.runtime().get(networkPath(free, 'aws/private_link')),
    ])
      expect(answer).toBeProblem('private_networking_not_supported');
  });

  it('is deleted with its deployment, before the network', async () => {
    const id = await make(aws, 'aws/vpc_peering', { name: 'left behind', ...AWS });
    await make(aws, 'aws/private_link', { name: 'left behind' });

    await aws.succeeds(await cloud.main().delete(aws.path));

    expect((await other.list()).filter((connection) => connection.deployment_id === aws.id)).toEqual([]);
    const [row] = await cloud.rows<{ is_gone: boolean }>(
      'select deleted_at is not null as is_gone from private_connections where id = $1',
      [id],
    );
    expect(row).toEqual({ is_gone: true });
  });

  describe('on Google Cloud', () => {
    let gcp: TestDeployment;
    // Runs after the deletion of the AWS deployment, because each node has two processes.
    beforeAll(async () => {
      gcp = await TestDeployment.paid(cloud, { ...TERMS, cloud: 'gcp', region: 'us-central1' });
    });

    it('by VPC peering is inactive until the other side creates its half, and again after that half is removed', async () => {
      const path = 'gcp/vpc_peering';
      expect(await cloud.runtime().get(networkPath(gcp, 'aws/vpc_peering'))).toBeProblem(
        'private_networking_not_supported',
      );
      const id = await make(gcp, path, { name: 'orders', ...GCP });
      const inactive = await read(gcp, path, id);
      const { steps, values } = await instructionsOf(gcp, path, id);
      await eventually('our half is made', async () =>
        (await other.list()).some((one) => one.kind === 'network_peering' && one.state === 'inactive'),
      );
      await other.accept(await localConnectionOf('network_peering', gcp));
      await becomes(gcp, path, id, 'active');
      await other.reject(await localConnectionOf('network_peering', gcp));
      await becomes(gcp, path, id, 'inactive');

      expect(inactive).toMatchObject({ ...GCP, name: 'orders', state: 'inactive', state_details: expect.any(String) });
      expect(steps[0].command).toContain(values['our_network']);
      const wrong = { name: 'wrong', ...GCP, peer_vpc_name: 'Not-Lower', peer_project_id: 'short' };
      const issues = (await cloud.runtime().post(networkPath(gcp, path), wrong)).body.field_issues;
      expect(issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
        '/peer_project_id',
        '/peer_vpc_name',
      ]);
      await remove(gcp, path, id);
    });

    it('by a service attachment lists its connections and their status', async () => {
      const path = 'gcp/psc';
      const id = await make(gcp, path, { name: 'orders' });
      const localConnection = await localConnectionOf('service_attachment', gcp);
      const connections = async () => (await cloud.runtime().get(networkPath(gcp, `${path}/${id}/connections`))).body;
      const { connection_id } = await other.connect(localConnection, { owner: 'their-project', network: 'default' });
      const otherConnection = await other.connect(localConnection, { owner: 'strange-project' });
      const connection = async (id: string, status: string) =>
        eventually(
          `connection ${id} is ${status}`,
          async () => (await connections()).find((one: any) => one.connection_id === id && one.status === status),
          PATIENCE_MS,
        );
      const pending = await connection(connection_id, 'pending');
      await other.moveConnection(localConnection, otherConnection.connection_id, 'reject');
      await connection(otherConnection.connection_id, 'rejected');
      await other.moveConnection(localConnection, otherConnection.connection_id, 'close');
      await connection(otherConnection.connection_id, 'closed');
      await other.moveConnection(localConnection, connection_id, 'accept');
      const accepted = await connection(connection_id, 'accepted');

      expect(pending).toMatchObject({ connection_id, consumer_project_id: 'their-project', status: 'pending' });
      expect(accepted).toEqual({ ...pending, status: 'accepted' });
      const attachment = await read(gcp, path, id);
      expect(attachment).toMatchObject({
        state: 'active',
        connection_preference: 'accept_manual',
        consumer_accept_lists: [],
      });
      expect((await instructionsOf(gcp, path, id)).values['service_attachment_uri']).toBe(
        attachment.service_attachment_uri,
      );
      await remove(gcp, path, id);
    });
  });
});
