import { CloudError, type GcpProvider, type Resource } from '@libs/cloud';
import { eventually } from '@libs/testing';
import { at, GcpBench, INSTALLATION, REGION } from '../../../test/gcp-bench.fixture.js';

const TAGS = { installation: INSTALLATION, deployment_id: 7, node_id: 1 };
const PATIENCE_MS = 10_000;

describe('a restored volume at Google Cloud, on the fake of Compute Engine', () => {
  let bench: GcpBench;
  let cloud: GcpProvider;
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.empty({ operationMs: 0 });
    cloud = bench.driver();
    const network = { region: REGION, cidr: '10.1.0.0/24', zones: ['a'], layout: 'own' as const };
    await active(() => cloud.ensure('network', at('network'), network, TAGS));
    await active(() => cloud.ensure('firewall', at('firewall'), { network: 'network', ingress: [] }, TAGS));
    const node = {
      ...{ node_id: 1, incarnation: 1, broker: 'embedded' as const, variant: 'small', cpus: 2, memory_mib: 4096 },
      ...{ is_dedicated: false, region: REGION, zone: 'a', image_id: '', network: 'network', firewall: 'firewall' },
      ...{ memory_floor_mib: 0, ports: [20_000], token: 'token' },
      storage: { type: 'network_balanced', size_gib: 10 },
    };
    await active(() => cloud.ensure('node', at('node-1'), node, TAGS));
  });
  afterEach(() => expect(bench.compute.faults).toEqual([]));

  /** Calls until the resource is active. A workflow tries again after `unavailable`, too. */
  const active = (call: () => Promise<Resource>): Promise<Resource> =>
    eventually(
      'an active resource',
      () =>
        call().then(
          (resource) => (resource.state === 'active' ? resource : null),
          (error: unknown) => {
            if (error instanceof CloudError && error.code === 'unavailable') return null;
            throw error;
          },
        ),
      PATIENCE_MS,
    );
  const ensureSnapshot = () => cloud.ensure('snapshot', at('copy'), { region: REGION, node: 'node-1' }, TAGS);
  const ensureVolume = () =>
    cloud.ensure('restored_volume', at('restored'), { region: REGION, snapshot: 'copy', node: 'node-1' }, TAGS);

  it('is made of a snapshot that was active before its operation had ended', async () => {
    // The operation ends before the next request, so this call sees the snapshot, and no call sees how the operation ended.
    expect((await ensureSnapshot()).state).toBe('active');

    expect((await active(ensureVolume)).attributes).toMatchObject({
      device: expect.stringMatching(/^\/dev\//) as string,
    });
    expect(bench.compute.resources('disks').filter(({ sourceSnapshot }) => Boolean(sourceSnapshot))).toHaveLength(1);
  });

  it('is refused while its snapshot does not exist', async () => {
    await expect(ensureVolume()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the snapshot copy does not exist yet',
    });
    expect(bench.compute.resources('disks').filter(({ sourceSnapshot }) => Boolean(sourceSnapshot))).toEqual([]);
  });
});
