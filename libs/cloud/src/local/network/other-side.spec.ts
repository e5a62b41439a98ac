import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refTo } from '@libs/testing';
import { describeOne } from '../../describe-one.js';
import type { Resource } from '../../cloud-provider.js';
import type { EndpointServiceSpec, ServiceAttachmentSpec, VpcPeeringSpec } from '../../resource-specs.js';
import { LocalProvider } from '../local-provider.js';
import { ACCEPTANCE_MS } from '../local-states.js';
import { LocalOtherSide, type Caller } from './other-side.js';
import { LOCAL_CLOUD, ResourceRecords } from '../records/resource-records.js';
import { until } from '@libs/host/os';

const SETTLE_MS = 60;
const TAGS = { installation: 'here', deployment_id: 9 };
const VPC: VpcPeeringSpec = {
  ...{ network: 'net', region: 'us-east-1', peer_vpc_id: 'vpc-0123456789abcdef0', peer_owner_id: '111122223333' },
  ...{ peer_region: 'us-east-1', peer_cidr: '172.16.0.0/16' },
};
const NETWORK = {
  network: 'net',
  peer_network: 'theirs',
  peer_project_id: 'their-project',
  peer_cidr: '172.16.0.0/16',
};
const SERVICE: EndpointServiceSpec = {
  ...{ load_balancer: 'lb', region: 'us-east-1', acceptance_required: true, allowed_principals: [] },
};
const ATTACHMENT: ServiceAttachmentSpec = {
  ...{ load_balancer: 'lb', region: 'us-east1', connection_preference: 'accept_manual', consumer_accept_lists: [] },
  enable_proxy_protocol: false,
};
const HEX_17 = '[0-9a-f]{17}$';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function aCloud(settleMs = SETTLE_MS) {
  const dataDir = await mkdtemp(join(tmpdir(), 'landlord-doors-'));
  ends.push(() => rm(dataDir, { recursive: true, force: true }));
  const cloud = new LocalProvider({
    ...{ dataDir, installation: TAGS.installation, bindAddress: '127.0.0.1', publicAddress: '127.0.0.1', settleMs },
    ...{ agentEntry: '/nowhere', agentUrl: 'http://127.0.0.1:1' },
  });
  await cloud.ensure('network', refTo('net'), { region: 'us-east-1', cidr: '10.1.0.0/24', zones: ['a'] }, TAGS);
  await cloud.ensure(
    'load_balancer',
    refTo('lb'),
    { region: 'us-east-1', network: 'net', scheme: 'internet', listeners: [] },
    TAGS,
  );
  return {
    dataDir,
    cloud,
    side: new LocalOtherSide(dataDir),
    records: new ResourceRecords(join(dataDir, LOCAL_CLOUD)),
  };
}

async function eventually(look: () => Promise<boolean>): Promise<void> {
  expect(await until(look, { timeoutMs: 10_000, everyMs: 5 })).toBe(true);
}

type World = Awaited<ReturnType<typeof aCloud>>;
const peering = async ({ cloud }: World): Promise<Resource<'vpc_peering'>> => {
  const found = await describeOne(cloud, 'vpc_peering', refTo('peer'));
  return found as Resource<'vpc_peering'>;
};
const becomes = (world: World, status: string) =>
  eventually(async () => (await peering(world)).attributes.status === status);

async function aWaitingPeering(settleMs?: number): Promise<World> {
  const world = await aCloud(settleMs);
  await world.cloud.ensure('vpc_peering', refTo('peer'), VPC, TAGS);
  await becomes(world, 'pending_acceptance');
  return world;
}

describe('a peering of AWS on the local cloud', () => {
  it('goes through the statuses of EC2 from the request to the acceptance, and names the requester', async () => {
    const world = await aCloud(500);

    const asked = await world.cloud.ensure('vpc_peering', refTo('peer'), VPC, TAGS);
    await expect(world.side.accept({ name: 'peer' })).rejects.toThrow('peer is initiating_request');

    expect(asked).toMatchObject({
      state: 'pending',
      attributes: { status: 'initiating_request', connection_id: null },
    });
    await becomes(world, 'pending_acceptance');
    const waiting = await peering(world);
    expect(waiting.attributes.connection_id).toMatch(new RegExp(`^pcx-${HEX_17}`));
    expect(waiting.attributes.requester).toEqual({
      ...{
        vpc_id: (await describeOne(world.cloud, 'network', refTo('net')))?.attributes.network_id,
        region: 'us-east-1',
      },
      ...{ owner_id: expect.stringMatching(/^\d{12}$/), cidr: '10.1.0.0/24' },
    });
    expect((await world.side.accept({ name: 'peer' })).state).toBe('provisioning');
    expect(await peering(world)).toMatchObject({ state: 'pending', attributes: { status: 'provisioning' } });
    await becomes(world, 'active');
    expect(await peering(world)).toMatchObject({ state: 'active', id: waiting.attributes.connection_id });
  });

  it.each(['reject', 'expire'] as const)('can end by %s, is still described, and can be destroyed', async (verb) => {
    const world = await aWaitingPeering();
    const status = `${verb}${verb === 'expire' ? 'd' : 'ed'}`;

    expect((await world.side[verb]({ name: 'peer' })).state).toBe(status);

    expect(await peering(world)).toMatchObject({ state: 'failed', reason: expect.any(String), attributes: { status } });
    expect((await world.cloud.ensure('vpc_peering', refTo('peer'), VPC, TAGS)).attributes.status).toBe(status);
    for (const act of ['accept', 'reject', 'expire'] as const)
      await expect(world.side[act]({ name: 'peer' })).rejects.toThrow(`peer is ${status}. Only`);
    await world.cloud.destroy('vpc_peering', refTo('peer'));
    await eventually(async () => (await describeOne(world.cloud, 'vpc_peering', refTo('peer'))) === null);
  });

  it('expires after exactly seven days, for any settling time', async () => {
    const world = await aWaitingPeering();
    const age = (ms: number) =>
      world.records.change('vpc_peering', 'peer', (held) => held && { ...held, created_at: Date.now() - ms });

    await age(ACCEPTANCE_MS - 60_000);
    expect((await peering(world)).attributes.status).toBe('pending_acceptance');
    await age(ACCEPTANCE_MS);

    expect((await peering(world)).attributes.status).toBe('expired');
    await expect(world.side.accept({ name: 'peer' })).rejects.toThrow('peer is expired');
  });

  it.each(['10.1.0.0/16', '10.1.0.128/25', '10.1.0.0/24'])('fails when %s overlaps our network', async (peer_cidr) => {
    const world = await aCloud();
    await world.cloud.ensure('vpc_peering', refTo('peer'), { ...VPC, peer_cidr }, TAGS);

    await becomes(world, 'failed');

    expect(await peering(world)).toMatchObject({ state: 'failed', reason: expect.stringContaining('overlap') });
    await expect(world.side.accept({ name: 'peer' })).rejects.toThrow('peer is failed');
    await world.cloud.destroy('vpc_peering', refTo('peer'));
    await eventually(async () => (await describeOne(world.cloud, 'vpc_peering', refTo('peer'))) === null);
  });

  it('is in status deleting until it is deleted, and can no longer be accepted', async () => {
    const world = await aWaitingPeering(300);

    await world.cloud.destroy('vpc_peering', refTo('peer'));

    expect(await peering(world)).toMatchObject({ state: 'deleting', attributes: { status: 'deleting' } });
    await expect(world.side.accept({ name: 'peer' })).rejects.toThrow('peer is being deleted.');
    await eventually(async () => (await describeOne(world.cloud, 'vpc_peering', refTo('peer'))) === null);
    await expect(world.side.accept({ name: 'peer' })).rejects.toThrow('There is no');
  });

  it('is refused for a network that does not exist', async () => {
    const { cloud } = await aCloud();

    const refused = cloud.ensure('vpc_peering', refTo('peer'), { ...VPC, network: 'none' }, TAGS);

    await expect(refused).rejects.toThrow('there is no network none');
    expect(await describeOne(cloud, 'vpc_peering', refTo('peer'))).toBeNull();
  });

  it('accepts one of several concurrent answers', async () => {
    const { side } = await aWaitingPeering();

    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => side.accept({ name: 'peer' })));

    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

it('a peering of Google Cloud is active while the half of the other side exists', async () => {
  const { cloud, side } = await aCloud(0);
  const attributes = async () => (await describeOne(cloud, 'network_peering', refTo('peer')))?.attributes;
  await cloud.ensure('network_peering', refTo('peer'), NETWORK, TAGS);
  expect(await attributes()).toMatchObject({ status: 'inactive', details: 'Waiting for peer network to connect.' });
  await expect(side.reject({ name: 'peer' })).rejects.toThrow('peer is inactive');
  await expect(side.expire({ name: 'peer' })).rejects.toThrow('does not expire');

  await side.accept({ name: 'peer' });

  expect(await attributes()).toMatchObject({ status: 'active', details: 'Connected.' });
  await expect(side.accept({ name: 'peer' })).rejects.toThrow('peer is active');
  await side.reject({ name: 'peer' });
  expect(await attributes()).toMatchObject({ status: 'inactive', details: 'Peering deleted by peer network.' });
  await side.accept({ name: 'peer' });
  expect(await attributes()).toMatchObject({ status: 'active' });
});

describe('an endpoint service on the local cloud', () => {
  const anEndpointService = async (spec: Partial<EndpointServiceSpec> = {}, settleMs = 0) => {
    const world = await aCloud(settleMs);
    const made = await world.cloud.ensure('endpoint_service', refTo('service'), { ...SERVICE, ...spec }, TAGS);
    const connect = (caller: Caller) => world.side.connect({ name: 'service' }, caller);
    const consumers = async () =>
      (await describeOne(world.cloud, 'endpoint_service', refTo('service')))?.attributes.consumers;
    return { ...world, made, connect, consumers };
  };

  it('becomes active after a delay, with the names of AWS, and accepts no connection before', async () => {
    const { made, cloud, connect } = await anEndpointService({}, 400);

    expect(made).toMatchObject({ state: 'pending', attributes: { consumers: [] } });
    const { service_id, service_name } = made.attributes;
    expect(service_id).toMatch(new RegExp(`^vpce-svc-${HEX_17}`));
    expect(service_name).toBe(`com.amazonaws.vpce.us-east-1.${service_id}`);
    await expect(connect({ owner: '111122223333' })).rejects.toThrow('service is pending');
    await eventually(async () => (await describeOne(cloud, 'endpoint_service', refTo('service')))?.state === 'active');
    expect((await connect({ owner: '111122223333' })).status).toBe('pending');
  });

  it('lets connections wait when it requires acceptance, and accepts them at once otherwise', async () => {
    const { cloud, connect, consumers } = await anEndpointService();
    const waiting = await connect({ owner: '111122223333', network: 'vpc-1', endpoint: 'vpce-1' });
    await cloud.ensure('endpoint_service', refTo('service'), { ...SERVICE, acceptance_required: false }, TAGS);

    const inside = await connect({ owner: 'arn:aws:iam::444455556666:role/x' });

    expect(waiting).toMatchObject({ status: 'pending', network: 'vpc-1', endpoint: 'vpce-1' });
    expect(inside).toMatchObject({ status: 'accepted', owner: '444455556666', network: null });
    expect(inside.endpoint).toMatch(new RegExp(`^vpce-${HEX_17}`));
    expect(await consumers()).toEqual([waiting, inside]);
    await expect(connect({ owner: '111122223333', endpoint: 'vpce-1' })).rejects.toThrow(waiting.connection_id);
  });

  it.each([
    ['111122223333', ['arn:aws:iam::111122223333:role/x'], true],
    ['111122223333', ['*'], true],
    ['arn:aws:iam::111122223333:role/x', ['arn:aws:iam::111122223333:root'], true],
    ['arn:aws:iam::111122223333:role/y', ['arn:aws:iam::111122223333:role/x'], false],
    ['999999999999', ['arn:aws:iam::111122223333:root'], false],
  ])('for a request of %s, with %j allowed: %s', async (owner, allowed_principals, isLet) => {
    const { connect, consumers } = await anEndpointService({ allowed_principals });

    const asked = await connect({ owner }).catch((error: unknown) => error);

    expect(await consumers()).toHaveLength(isLet ? 1 : 0);
    if (!isLet) expect(asked).toMatchObject({ name: 'OtherSideRefused', message: expect.stringContaining('allowed') });
  });

  it('refuses an owner that is not an account', async () => {
    const { connect } = await anEndpointService();

    await expect(connect({ owner: 'their-project' })).rejects.toThrow('12 digits or an ARN');
  });

  it('changes its connections from waiting to accepted or rejected, and to closed', async () => {
    const { side, connect, consumers } = await anEndpointService();
    const service = { name: 'service' };
    const one = (await connect({ owner: '111122223333' })).connection_id;
    const two = (await connect({ owner: '111122223333' })).connection_id;

    expect((await side.moveConnection(service, one, 'accept')).status).toBe('accepted');
    expect((await side.moveConnection(service, two, 'reject')).status).toBe('rejected');
    await expect(side.moveConnection(service, one, 'reject')).rejects.toThrow(`${one} is accepted. Only`);
    await side.moveConnection(service, one, 'close');
    await expect(side.moveConnection(service, one, 'close')).rejects.toThrow('already closed');
    await expect(side.moveConnection(service, 'vpce-con-x', 'close')).rejects.toThrow('has no connection vpce-con-x');
    await expect(side.accept(service)).rejects.toThrow('--connection');

    expect((await consumers())?.map(({ status }) => status)).toEqual(['closed', 'rejected']);
  });

  it('loses no connection during concurrent changes of the driver', async () => {
    const { cloud, connect, consumers } = await anEndpointService();
    const change = (digit: number) =>
      cloud.ensure(
        'endpoint_service',
        refTo('service'),
        { ...SERVICE, allowed_principals: ['*', `arn:aws:iam::11112222333${digit}:root`] },
        TAGS,
      );

    await Promise.all([1, 2, 3, 4, 5, 6].flatMap((digit) => [connect({ owner: '111122223333' }), change(digit)]));

    expect(await consumers()).toHaveLength(6);
  });

  it('closes its connections when it is deleted', async () => {
    const { cloud, connect, consumers } = await anEndpointService({ acceptance_required: false }, 100);
    await eventually(async () => (await describeOne(cloud, 'endpoint_service', refTo('service')))?.state === 'active');
    await connect({ owner: '111122223333' });

    await cloud.destroy('endpoint_service', refTo('service'));

    const left = await consumers();
    expect(left?.map(({ status }) => status) ?? ['closed']).toEqual(['closed']);
  });
});

describe('a service attachment on the local cloud', () => {
  const anAttachment = async (spec: Partial<ServiceAttachmentSpec>) => {
    const world = await aCloud(0);
    await world.cloud.ensure('service_attachment', refTo('psc'), { ...ATTACHMENT, ...spec }, TAGS);
    return { ...world, connect: (owner: string) => world.side.connect({ name: 'psc' }, { owner }) };
  };

  it.each([
    ['accept_automatic', [], 'accepted'],
    ['accept_automatic', ['their-project'], 'accepted'],
    ['accept_automatic', ['another-one'], 'pending'],
    ['accept_manual', [], 'pending'],
    ['accept_manual', ['their-project'], 'accepted'],
    ['accept_manual', ['another-one'], 'pending'],
  ] as const)('with %s and %j gives their-project the status %s', async (connection_preference, listed, status) => {
    const { connect, cloud } = await anAttachment({ connection_preference, consumer_accept_lists: [...listed] });

    const made = await connect('their-project');

    expect(made).toMatchObject({ status, owner: 'their-project', connection_id: expect.stringMatching(/^\d+$/) });
    const seen = await describeOne(cloud, 'service_attachment', refTo('psc'));
    expect(seen?.attributes.consumers).toEqual([made]);
    expect(seen?.attributes.uri).toMatch(/^projects\/[\w-]+\/regions\/us-east1\/serviceAttachments\/[\w-]+$/);
  });

  it('accepts a waiting project that is added to the list, and keeps an accepted one that is removed', async () => {
    const { connect, cloud, records } = await anAttachment({ consumer_accept_lists: ['first-project'] });
    await connect('first-project');
    await connect('other-project');

    const changed = { ...ATTACHMENT, consumer_accept_lists: ['other-project'], enable_proxy_protocol: true };
    const { attributes } = await cloud.ensure('service_attachment', refTo('psc'), changed, TAGS);

    expect(attributes.consumers.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    expect((await records.find('service_attachment', 'psc'))?.spec.enable_proxy_protocol).toBe(true);
  });

  it('refuses an owner that is not a project', async () => {
    const { connect } = await anAttachment({});

    await expect(connect('111122223333')).rejects.toThrow('must be a project id');
  });
});

it('the other side lists its resources, and requires the kind when two have the same name', async () => {
  const { cloud, side } = await aCloud(0);
  await cloud.ensure('vpc_peering', refTo('same'), VPC, { ...TAGS, deployment_id: 2 });
  await cloud.ensure('network_peering', refTo('same'), NETWORK, TAGS);
  await cloud.ensure('service_attachment', refTo('psc'), ATTACHMENT, TAGS);

  expect(await side.list()).toMatchObject([
    { name: 'same', kind: 'vpc_peering', deployment_id: 2, state: 'pending_acceptance' },
    { name: 'psc', kind: 'service_attachment', deployment_id: 9, state: 'active', consumers: [] },
    { name: 'same', kind: 'network_peering', deployment_id: 9, state: 'inactive' },
  ]);
  await expect(side.accept({ name: 'same' })).rejects.toThrow('Select one with --kind');
  expect((await side.accept({ name: 'same', kind: 'network_peering' })).state).toBe('active');
  await expect(side.connect({ name: 'same', kind: 'vpc_peering' }, { owner: 'x' })).rejects.toThrow('no connections');
  await expect(side.accept({ name: 'net' })).rejects.toThrow(
    'There is no peering, service or attachment net in the local cloud.',
  );
});

const asRoot = process.getuid?.() === 0 ? it : it.skip;
asRoot('the other side writes nothing that the Supervisor of another user could not read', async () => {
  const world = await aWaitingPeering();
  await chown(join(world.dataDir, LOCAL_CLOUD), 12_345, 12_345);

  await expect(world.side.accept({ name: 'peer' })).rejects.toThrow(
    'belongs to user 12345. Run this command as this user.',
  );

  await becomes(world, 'pending_acceptance');
});
