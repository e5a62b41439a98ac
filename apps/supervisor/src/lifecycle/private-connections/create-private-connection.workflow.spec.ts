import { CloudError } from '@libs/cloud';
import { OPERATIONS } from '@libs/domain';
import { PRIVATE_CONNECTION_KINDS, type PrivateConnectionKind } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { CREATE_PRIVATE_CONNECTION } from './create-private-connection.workflow.js';
import { PrivateConnectionFixture } from '../../../test/private-connection.fixture.js';

const STEPS = Object.keys(CREATE_PRIVATE_CONNECTION);
const MADE = {
  vpc_peering: 'pending_acceptance',
  network_peering: 'inactive',
  endpoint_service: 'available',
  service_attachment: 'active',
};

describe('create_private_connection', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const begin = async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'vpc_peering');
    const { lifecycle, resource } = fixture;
    const operation = await fixture.startCreation();
    return {
      drive: (around: Around) => bench.drive(operation, () => bench.runner([lifecycle.workflows.connection], around)),
      expectDone: async () => {
        expect(lifecycle.cloud.creations).toEqual([resource]);
        expect(await fixture.record()).toMatchObject({
          status: 'pending_acceptance',
          reason: null,
          attributes: { connection_id: 'pcx-fake', status: 'pending_acceptance' },
        });
      },
      expectUndone: async () => {
        expect(await fixture.record()).toMatchObject({ status: 'failed', reason: 'not today' });
        expect((await lifecycle.recorded()).events).toEqual(['deployment_operation_failed']);
        expect(await fixture.delete()).toBe('succeeded');
        expect(await fixture.record()).toBeNull();
        expect([...lifecycle.cloud.resources.keys()]).toEqual([]);
      },
    };
  };

  /** A new connection to a private deployment whose nodes have their own addresses. */
  const directlyReached = async (kind: PrivateConnectionKind): Promise<PrivateConnectionFixture> => {
    const fixture = await PrivateConnectionFixture.asked(bench, kind);
    const { cloud, deploymentId } = fixture.lifecycle;
    cloud.addresses = 'own';
    await bench.rows('update deployments set public_ip_enabled = false where id = $1', [deploymentId]);
    await bench.rows(
      `insert into node_ports (address, port, node_id, purpose)
       select 'node ' || id, 31000, id, 'tcp' from nodes where deployment_id = $1`,
      [deploymentId],
    );
    return fixture;
  };

  stepSuites('create_private_connection', begin, STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    const { firstStep, steps, changing } = OPERATIONS.create_private_connection;
    expect([STEPS[0], STEPS.length, changing]).toEqual([firstStep, steps, false]);
  });

  it.each(PRIVATE_CONNECTION_KINDS)('of a %s ends when the connection waits for the other side', async (kind) => {
    const fixture = await PrivateConnectionFixture.asked(bench, kind);

    expect(await fixture.create()).toBe('succeeded');

    expect(await fixture.record()).toMatchObject({ status: MADE[kind] });
  });

  it('sends the tags, the underlying resource and the requested values to the provider', async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'service_attachment');
    const { cloud, deploymentId } = fixture.lifecycle;
    const asked: unknown[] = [];
    const ensure = cloud.ensure.bind(cloud);
    cloud.ensure = (kind, name, spec, tags) => {
      asked.push(spec);
      return ensure(kind, name, spec, tags);
    };

    await fixture.create();

    expect(asked[0]).toEqual({
      ...{ load_balancer: `ld-test-${deploymentId}-load-balancer`, region: 'us-east-1' },
      ...{ connection_preference: 'accept_manual', consumer_accept_lists: [], enable_proxy_protocol: false },
    });
    expect(cloud.resources.get(fixture.resource)?.tags).toEqual({ installation: 'test', deployment_id: deploymentId });
  });

  it.each([
    ['endpoint_service', 1],
    ['service_attachment', 1],
    ['vpc_peering', 0],
  ] as const)('of a %s creates the load balancer first if nodes are reached directly', async (kind, balancers) => {
    const fixture = await directlyReached(kind);
    const { cloud, deploymentId } = fixture.lifecycle;
    const balancer = `ld-test-${deploymentId}-load-balancer`;

    expect(await fixture.create()).toBe('succeeded');

    expect(cloud.creations).toEqual([...(balancers ? [balancer] : []), fixture.resource]);
    expect(cloud.specs.get(balancer)).toEqual(balancers ? expect.objectContaining({ scheme: 'internal' }) : undefined);
    const [row] = await bench.rows<{ load_balancer: string | null }>(
      'select load_balancer from deployment_runtimes where deployment_id = $1',
      [deploymentId],
    );
    expect(row?.load_balancer).toBe(balancers ? '127.0.0.1' : null);
  });

  it('of a second service uses the load balancer of the first one', async () => {
    const first = await directlyReached('endpoint_service');
    await first.create();
    const second = await PrivateConnectionFixture.asked(bench, 'endpoint_service', first.lifecycle);

    expect(await second.create()).toBe('succeeded');

    const { cloud, deploymentId } = first.lifecycle;
    expect(cloud.creations).toEqual([`ld-test-${deploymentId}-load-balancer`, first.resource, second.resource]);
  });

  it('fails at once when the account may have no more load balancers', async () => {
    const fixture = await directlyReached('endpoint_service');
    fixture.lifecycle.cloud.refuses = (name) =>
      name.endsWith('load-balancer') ? { code: 'quota', name: 'TooManyLoadBalancers' } : null;

    expect(await fixture.create()).toBe('failed');

    expect(fixture.lifecycle.cloud.creations).toEqual([]);
    expect((await fixture.record())?.status).toBe('failed');
  });

  it('creates nothing for a connection that is being deleted', async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'vpc_peering');
    await fixture.connections.markDeleting(fixture.id, 'deleting');

    expect(await fixture.create()).toBe('succeeded');

    expect(fixture.lifecycle.cloud.creations).toEqual([]);
    expect((await fixture.record())?.status).toBe('deleting');
  });

  it('waits for a provider that shows a new resource late, and creates it only once', async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'endpoint_service');
    const { cloud } = fixture.lifecycle;
    const describe = cloud.describe.bind(cloud);
    let isHidden = 3;
    cloud.describe = (kind, names) => (isHidden-- > 0 ? Promise.resolve(new Map()) : describe(kind, names));

    expect(await fixture.create()).toBe('succeeded');

    expect(cloud.creations).toEqual([fixture.resource]);
    expect((await fixture.record())?.status).toBe('available');
  });

  it('asks for the next part of a resource that the provider makes of several parts', async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'service_attachment');
    const { cloud } = fixture.lifecycle;
    const ensure = cloud.ensure.bind(cloud);
    let parts = 0;
    cloud.ensure = async (kind, ref, spec, tags) => {
      const resource = await ensure(kind, ref, spec, tags);
      if (kind !== 'service_attachment') return resource;
      parts += 1;
      cloud.becomes(ref.name, { state: parts < 3 ? 'pending' : 'active' });
      return { ...resource, state: parts < 3 ? 'pending' : 'active' };
    };

    expect(await fixture.create()).toBe('succeeded');

    expect(parts).toBe(3);
    expect(await fixture.record()).toMatchObject({ status: 'active' });
  });

  it('fails with the reason of a part that the provider refuses later', async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'network_peering');
    const { cloud } = fixture.lifecycle;
    const ensure = cloud.ensure.bind(cloud);
    let calls = 0;
    cloud.ensure = (...of) =>
      calls++ === 0 ? ensure(...of) : Promise.reject(new CloudError({ code: 'invalid' }, 'the ranges overlap'));
    // The operation of the provider has failed, so no look finds the peering.
    cloud.describe = () => Promise.resolve(new Map());

    expect(await fixture.create()).toBe('failed');

    expect(await fixture.record()).toMatchObject({ status: 'failed', reason: 'the ranges overlap' });
  });

  it('fails with the reason of the provider', async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'vpc_peering');
    const { lifecycle, resource } = fixture;
    const operation = await fixture.startCreation();
    const reason = 'the blocks overlap';
    const fail = async (): Promise<void> => {
      if (lifecycle.cloud.resources.has(resource))
        lifecycle.cloud.becomes<'vpc_peering'>(resource, { reason, attributes: { status: 'failed' } });
    };

    const status = await bench.drive(
      operation,
      () =>
        bench.runner([lifecycle.workflows.connection], async (_step, work) => {
          await fail();
          return work();
        }),
      fail,
    );

    expect(status).toBe('failed');
    expect(await fixture.record()).toMatchObject({ status: 'failed', reason, attributes: { status: 'failed' } });
    expect((await lifecycle.recorded()).audit).toEqual(['operation_failed']);
  });

  it.each([
    ['that only a person can lift', { code: 'quota', name: 'peerings' }, 'no more than 50 peerings'],
    ['that never ends', { code: 'invalid' }, 'the deployment shares its network with others'],
  ] as const)('fails at once on a refusal %s', async (_which, refusal, reason) => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'vpc_peering');
    fixture.lifecycle.cloud.ensure = () => Promise.reject(new CloudError(refusal, reason));

    expect(await fixture.create()).toBe('failed');

    expect(await fixture.record()).toMatchObject({ status: 'failed', reason });
  });

  it('retries while the provider is unavailable, and fails with a reason after the time limit', async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'network_peering');
    const { lifecycle } = fixture;
    lifecycle.cloud.refuses = () => ({ code: 'unavailable' });
    const operation = await fixture.startCreation();
    const runner = bench.runner([lifecycle.workflows.connection]);

    await runner.run(operation);
    const waiting = await fixture.record();
    await bench.rows(
      `update operations set step_entered_at = now() - interval '11 minutes', wake_at = now() where id = $1`,
      [operation],
    );
    await runner.run(operation);

    expect(waiting).toMatchObject({ status: 'inactive', reason: null, attributes: null });
    expect(await fixture.record()).toMatchObject({
      status: 'failed',
      reason: 'gave up after 10m: step requesting',
      attributes: null,
    });
  });
});
