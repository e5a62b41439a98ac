import { providesAsPromised, TAGS, type CloudSetup } from '../../../../../libs/cloud/test/provider.contract.fixture.js';
import { GcpBench } from '../../../test/gcp-bench.fixture.js';
import { countAtGoogle } from '../../../test/gcp-counts.fixture.js';

describe('the driver gcp fulfils the contract of the port, on the fake of Compute Engine', () => {
  let bench: GcpBench;
  beforeAll(async () => {
    bench = await GcpBench.open();
  });
  afterAll(() => bench.close());

  async function setup(): Promise<CloudSetup> {
    await bench.empty({ operationMs: 0 });
    const { compute } = bench;
    compute.addNetwork('their-project', 'theirs');
    return {
      driver: () => bench.driver(TAGS.installation),
      count: async (kind, name) => countAtGoogle(compute, kind, name),
      loseNextReply: () => compute.loseNextReply(),
      throttle: (calls) => compute.throttle(calls),
      // Operations are asynchronous, so a creation stops halfway when its first part exists and the answer is lost.
      failHalfway: () => compute.loseNextReply(),
      continuesByCalls: [
        ...(['network', 'firewall', 'node', 'address', 'load_balancer', 'network_peering'] as const),
        ...(['service_attachment', 'restored_volume', 'snapshot'] as const),
      ],
      leadsToSamePort: true,
      passTime: () => bench.aMinuteLater(),
      stop: async () => {
        expect(compute.faults).toEqual([]);
      },
    };
  }

  providesAsPromised({
    make: setup,
    lacks: ['vpc_peering', 'endpoint_service'],
    cannot: { hideNew: 'Google shows a resource to its name as soon as the resource exists' },
  });
});
