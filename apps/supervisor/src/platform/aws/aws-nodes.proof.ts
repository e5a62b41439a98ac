import { describeOne, type AwsProvider, type NodeResourceSpec, type Resource } from '@libs/cloud';
import { MotoServer, skippedSuite } from '@libs/testing';
import { at, AwsBench, INSTALLATION, REGION } from '../../../test/aws-bench.fixture.js';

const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);
const NODE = 'node-1';
const TAGS = { installation: INSTALLATION, deployment_id: 7, node_id: 1 };

describeWithMoto('A node at AWS, on Moto', () => {
  let bench: AwsBench;
  let cloud: AwsProvider;
  beforeAll(async () => {
    bench = await AwsBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.empty();
    cloud = bench.driver();
    const network = { region: REGION, cidr: '10.1.0.0/24', zones: ['a', 'b'] };
    await cloud.ensure('network', at('network'), network, TAGS);
    await cloud.ensure('firewall', at('firewall'), { network: 'network', ingress: [] }, TAGS);
  });

  const spec = (changes: Partial<NodeResourceSpec> = {}): NodeResourceSpec => ({
    ...{ node_id: 1, incarnation: 1, broker: 'embedded', variant: 'small', cpus: 2, memory_mib: 4096 },
    ...{ is_dedicated: false, region: REGION, zone: 'a', image_id: '', network: 'network', firewall: 'firewall' },
    ...{ memory_floor_mib: 0, ports: [20_000], token: 'token', storage: { type: 'network_balanced', size_gib: 10 } },
    ...changes,
  });
  const ensure = (changes?: Partial<NodeResourceSpec>): Promise<Resource<'node'>> =>
    cloud.ensure('node', at(NODE), spec(changes), TAGS);
  const seen = () => describeOne(cloud, 'node', at(NODE));
  const instances = async () => {
    const { Reservations = [] } = await bench.ec2.describeInstances({});
    return Reservations.flatMap(({ Instances = [] }) => Instances);
  };
  const living = async () => (await instances()).filter(({ State }) => State?.Name !== 'terminated');
  const volumes = async () =>
    (await bench.ec2.describeVolumes({ Filters: [{ Name: 'tag:landlord:part', Values: ['volume'] }] })).Volumes ?? [];
  /** Calls until AWS has nothing more to do. */
  async function active(changes?: Partial<NodeResourceSpec>): Promise<Resource<'node'>> {
    for (let calls = 0; calls < 6; calls += 1) {
      const node = await ensure(changes);
      if (node.state === 'active') return node;
    }
    throw new TypeError(`the node is not active: ${JSON.stringify(await seen())}`);
  }

  it('is an instance without a way to its metadata, with encrypted disks and its volume', async () => {
    const { id, attributes } = await active();
    const [instance] = await living();
    const [volume] = await volumes();

    expect(instance?.MetadataOptions).toMatchObject({ HttpTokens: 'required', HttpPutResponseHopLimit: 1 });
    expect(volume).toMatchObject({ Encrypted: true, Size: 10, VolumeType: 'gp3' });
    expect(volume?.Attachments?.[0]?.InstanceId).toBe(id);
    expect(attributes.zone).toBe('us-east-1a');
    const [run] = bench.proxy.creations.filter(({ action }) => action === 'RunInstances');
    expect(run?.parameters.get('BlockDeviceMapping.1.Ebs.Encrypted')).toBe('true');
    expect(run?.parameters.get('NetworkInterface.1.DeleteOnTermination')).toBe('true');
  });

  it('gets the next type in the same zone, and the first one in another zone, without capacity', async () => {
    bench.proxy.refuseNext('RunInstances', 'InsufficientInstanceCapacity');
    await expect(ensure()).rejects.toMatchObject({
      refusal: { code: 'capacity', what: 'm7i.large', zone: 'us-east-1a' },
    });
    bench.proxy.refuseNext('RunInstances', 'InsufficientInstanceCapacity');
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'capacity', what: 'm6i.large' } });
    await expect(ensure()).rejects.toThrow('AWS has no capacity for m7i.large, m6i.large in us-east-1a');
    const asked = bench.proxy.calls.filter(({ action }) => action === 'RunInstances').length;
    expect(asked).toBe(2);

    await active({ zone: 'b' });

    expect((await living()).map(({ InstanceType, Placement }) => [InstanceType, Placement?.AvailabilityZone])).toEqual([
      ['m7i.large', 'us-east-1b'],
    ]);
    expect((await volumes()).map(({ AvailabilityZone }) => AvailabilityZone)).toEqual(['us-east-1b']);
  });

  it('is asked for again three minutes after its zone had no capacity', async () => {
    bench.proxy.refuseNext('RunInstances', 'InsufficientInstanceCapacity');
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'capacity' } });
    await bench.aMinuteLater();

    await active();

    expect((await living()).map(({ InstanceType }) => InstanceType)).toEqual(['m7i.large']);
  });

  it('names the quota that is used up', async () => {
    bench.proxy.refuseNext('RunInstances', 'VcpuLimitExceeded');

    await expect(ensure()).rejects.toMatchObject({
      refusal: { code: 'quota', name: 'VcpuLimitExceeded' },
      message: expect.stringContaining('VcpuLimitExceeded'),
    });
  });

  it('has failed when its instance has ended, and the next incarnation has another instance and volume', async () => {
    const { id } = await active();
    const [volume] = await volumes();
    await bench.ec2.terminateInstances({ InstanceIds: [id] });
    expect(await seen()).toMatchObject({ state: 'failed', reason: `the instance ${id} has ended` });

    const next = await active({ incarnation: 2 });

    expect(next.id).not.toBe(id);
    expect((await living()).map(({ InstanceId }) => InstanceId)).toEqual([next.id]);
    expect((await volumes()).map(({ VolumeId }) => VolumeId)).not.toContain(volume?.VolumeId);
  });

  it('ends the earlier instance before the next incarnation exists', async () => {
    const { id } = await active();

    await active({ incarnation: 2 });

    const order = bench.proxy.calls.map(({ action }) => action).filter((action) => /^(Run|Terminate)Inst/.test(action));
    expect(order).toEqual(['RunInstances', 'TerminateInstances', 'RunInstances']);
    expect((await living()).map(({ InstanceId }) => InstanceId)).not.toContain(id);
  });

  it('is started again after a stop by hand, and has the same data', async () => {
    const { id } = await active();
    const [volume] = await volumes();
    await bench.ec2.stopInstances({ InstanceIds: [id] });
    expect(await seen()).toMatchObject({ state: 'pending', reason: `the instance ${id} is stopped` });

    expect((await active()).id).toBe(id);

    expect((await volumes()).map(({ VolumeId }) => VolumeId)).toEqual([volume?.VolumeId]);
  });

  it('on local disks has no volume, and fails with a stop', async () => {
    const local = { type: 'local_ssd', size_gib: 118 };
    const { id } = await active({ storage: local });
    expect(await volumes()).toEqual([]);
    await bench.ec2.stopInstances({ InstanceIds: [id] });

    expect(await seen()).toMatchObject({ state: 'failed', reason: expect.stringContaining('lost their data') });
  });

  it('grows its volume in place, and names the limit of AWS for changes', async () => {
    await active();
    await active({ storage: { type: 'network_balanced', size_gib: 20 } });
    expect((await volumes()).map(({ Size }) => Size)).toEqual([20]);

    bench.proxy.refuseNext('ModifyVolume', 'VolumeModificationRateExceeded');
    await expect(ensure({ storage: { type: 'network_balanced', size_gib: 30 } })).rejects.toMatchObject({
      refusal: { code: 'quota', name: 'VolumeModificationRateExceeded' },
    });
  });

  const aVolumeIsDeleted = async (): Promise<string> => {
    const [volume] = await volumes();
    const VolumeId = volume?.VolumeId ?? '';
    const InstanceId = volume?.Attachments?.[0]?.InstanceId;
    if (InstanceId) await bench.ec2.detachVolume({ VolumeId, InstanceId, Force: true });
    await bench.ec2.deleteVolume({ VolumeId });
    return VolumeId;
  };

  it('gets another volume and instance when somebody deletes its volume before it was attached', async () => {
    const { id } = await ensure();
    const lost = await aVolumeIsDeleted();
    // A volume that AWS has just created can be invisible, so the driver waits.
    await expect(ensure()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    await bench.aMinuteLater();

    const next = await ensure();

    expect(next).toMatchObject({ state: 'pending', reason: expect.stringMatching(/starts|another one/) });
    expect(await seen()).toMatchObject({
      state: 'pending',
      reason: `the instance ${next.id} has no volume yet: somebody has deleted the volume ${lost} before it had data, and the node got another one`,
    });
    const { reason } = await active();
    expect(reason).toBe(`the instance ${next.id} runs and has not joined yet`);
    expect((await living()).map(({ InstanceId }) => InstanceId)).toEqual([next.id]);
    expect(next.id).not.toBe(id);
    const [volume] = await volumes();
    expect(volume).toMatchObject({ Attachments: [{ InstanceId: next.id }] });
    expect((await volumes()).length).toBe(1);
    const { UserData } = await bench.ec2.describeInstanceAttribute({ InstanceId: next.id, Attribute: 'userData' });
    const script = Buffer.from(UserData?.Value ?? '', 'base64').toString();
    expect(script).toContain(volume?.VolumeId?.replace('-', ''));
  });

  it('has failed when somebody deletes its volume with the data, and the next incarnation has another one', async () => {
    const { id } = await active();
    const lost = await aVolumeIsDeleted();
    expect(await seen()).toMatchObject({ state: 'active' });
    await bench.aMinuteLater();

    expect(await seen()).toMatchObject({
      state: 'failed',
      reason: `somebody has deleted the volume ${lost} of the instance ${id}`,
    });
    const next = await active({ incarnation: 2 });
    expect((await living()).map(({ InstanceId }) => InstanceId)).toEqual([next.id]);
    expect(await volumes()).toEqual([expect.objectContaining({ Attachments: [expect.anything()] })]);
  });

  it('gets its volume back when somebody detaches it', async () => {
    const { id } = await active();
    const [volume] = await volumes();
    const VolumeId = volume?.VolumeId ?? '';
    await bench.ec2.detachVolume({ VolumeId, InstanceId: id });
    await bench.aMinuteLater();
    expect(await seen()).toMatchObject({
      state: 'pending',
      reason: `the volume ${VolumeId} is not attached to the instance ${id}`,
    });

    expect((await active()).id).toBe(id);

    expect(await volumes()).toMatchObject([{ VolumeId, Attachments: [{ InstanceId: id }] }]);
  });

  it('says that its tags were removed by hand, and stays the only one', async () => {
    const { id } = await active();
    const [volume] = await volumes();
    const keys = ['landlord:installation', 'landlord:name', 'landlord:deployment', 'landlord:kind', 'landlord:part'];
    const Tags = keys.map((Key) => ({ Key }));
    await bench.ec2.deleteTags({ Resources: [id, volume?.VolumeId ?? ''], Tags });

    expect(await seen()).toMatchObject({ id, state: 'active', tags: TAGS });
    expect(await ensure()).toMatchObject({ id, state: 'active', tags: TAGS });
    expect((await living()).map(({ InstanceId }) => InstanceId)).toEqual([id]);
    // The root disk and the data volume.
    expect((await bench.ec2.describeVolumes({})).Volumes?.length).toBe(2);
    expect(bench.proxy.counts.get('RunInstances')).toBe(1);
    expect(bench.proxy.counts.get('CreateVolume')).toBe(1);
  });

  it('is deleted with all its parts, also when its tags were removed by hand', async () => {
    const { id } = await active();
    const keys = ['landlord:installation', 'landlord:name', 'landlord:deployment', 'landlord:kind', 'landlord:part'];
    await bench.ec2.deleteTags({ Resources: [id], Tags: keys.map((Key) => ({ Key })) });

    for (let calls = 0; calls < 5; calls += 1) await cloud.destroy('node', at(NODE));

    expect(await living()).toEqual([]);
    expect(await volumes()).toEqual([]);
    expect(await seen()).toBeNull();
  });
});
