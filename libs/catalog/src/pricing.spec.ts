import fc from 'fast-check';
import { MANAGED_TIERS, NETWORK_SCOPES, TIERS } from './catalog.schema.js';
import { loadCatalog } from './load-catalog.js';
import { capacity, memoryMib, nodeCount, quote, type Shape } from './pricing.js';

const catalog = loadCatalog();
const small: Shape = {
  cloud: 'aws',
  region: 'us-east-1',
  tier: 'small',
  cluster: 'cluster',
  managedTier: 'standard',
  storage: { type: 'network_balanced', size: 100 },
  targetNetworkTput: 1000,
  networkScope: 'same_region',
  availabilityMode: 'single_az',
};
const shapes = fc.record({
  tier: fc.constantFrom(...TIERS.slice(1)),
  managedTier: fc.constantFrom(...MANAGED_TIERS),
  networkScope: fc.constantFrom(...NETWORK_SCOPES),
  targetNetworkTput: fc.integer({ min: 1, max: 5_000_000 }),
  size: fc.integer({ min: 100, max: 30_000 }),
});

/** The lines of a price in USD: compute, storage, network, and the sums without and with network. */
function linesOf(change: Partial<Shape>, nodes?: number): string[] {
  const price = quote(catalog, { ...small, ...change }, nodes);
  const { computeUsd, storageUsd, networkUsd, monthlyBaseUsd, monthlyTotalUsd } = price;
  return [computeUsd, storageUsd, networkUsd, monthlyBaseUsd, monthlyTotalUsd].map((usd) => usd.toFixed(2));
}

describe('A price', () => {
  it.each<[string, Partial<Shape>, string[]]>([
    ['three small nodes', {}, ['186.15', '36.00', '26.28', '222.15', '248.43']],
    ['performance terms', { managedTier: 'performance' }, ['251.30', '36.00', '26.28', '287.30', '313.58']],
    ['a region with a factor', { region: 'sa-east-1' }, ['288.53', '55.80', '26.28', '344.33', '370.61']],
    ['a region outside the catalog', { region: 'moon' }, ['186.15', '36.00', '26.28', '222.15', '248.43']],
    ['clients of another cloud', { networkScope: 'cross_cloud' }, ['186.15', '36.00', '236.52', '222.15', '458.67']],
    ['no terms', { managedTier: null }, ['0.00', '0.00', '0.00', '0.00', '0.00']],
  ])('of %s is computed by hand', (_, change, lines) => {
    expect(linesOf(change)).toEqual(lines);
  });

  it('rounds half a cent of a line to the even cent', () => {
    // Before rounding: 204.765, 68.255 and 341.275.
    expect(linesOf({ region: 'ca-central-1' })[0]).toBe('204.76');
    expect(linesOf({ region: 'ca-central-1' }, 1)[0]).toBe('68.26');
    expect(linesOf({ region: 'ca-central-1' }, 5)[0]).toBe('341.28');
  });

  it('of transfer is by the gigabyte of a million kilobytes', () => {
    expect(linesOf({ targetNetworkTput: 5_000_000 }, 3)[2]).toBe('131400.00');
  });

  it('of an existing deployment has the nodes of the deployment', () => {
    expect(linesOf({}, 5)).toEqual(['310.25', '60.00', '26.28', '370.25', '396.53']);
  });

  it('is the exact sum of its lines for any shape', () => {
    fc.assert(
      fc.property(shapes, ({ size, ...change }) => {
        const price = quote(catalog, { ...small, ...change, storage: { type: 'network_balanced', size } });
        expect(price.monthlyBaseUsd.eq(price.computeUsd.add(price.storageUsd))).toBe(true);
        expect(price.monthlyTotalUsd.eq(price.monthlyBaseUsd.add(price.networkUsd))).toBe(true);
        for (const line of [price.computeUsd, price.storageUsd, price.networkUsd])
          expect(line.decimalPlaces()).toBeLessThanOrEqual(2);
        expect(price.nodes % 2).toBe(1);
      }),
    );
  });

  it('is zero for Free', () => {
    const free = quote(catalog, { ...small, tier: 'free', cluster: 'standalone', managedTier: null });
    expect([free.nodes, free.monthlyTotalUsd.toNumber()]).toEqual([1, 0]);
  });

  it('depends on the terms, the region and the location of the clients', () => {
    const base = quote(catalog, small);
    const dearer = (change: Partial<Shape>): boolean =>
      quote(catalog, { ...small, ...change }).monthlyTotalUsd.gt(base.monthlyTotalUsd);

    expect(base).toMatchObject({ nodes: 3, pricingVersion: catalog.version });
    expect([
      dearer({ managedTier: 'enterprise' }),
      dearer({ region: 'sa-east-1' }),
      dearer({ networkScope: 'cross_cloud' }),
    ]).toEqual([true, true, true]);
  });

  it('includes more nodes for more throughput, always an odd number', () => {
    const nodesFor = (targetNetworkTput: number): number => nodeCount(catalog, { ...small, targetNetworkTput });
    expect([nodesFor(1), nodesFor(15_000), nodesFor(15_001), nodesFor(26_000)]).toEqual([3, 3, 5, 7]);
  });
});

describe('Capacity', () => {
  it('of a tier follows from half of its memory and from the segment sizes', () => {
    expect(capacity(catalog, 'small')).toEqual({
      shards_per_node: 2,
      default_segment_bytes: 64 * 1024 ** 2,
      min_segment_bytes: 8 * 1024 ** 2,
      partitions_per_node_at_default_segment: 32,
      partitions_per_node_at_min_segment: 256,
    });
    expect(capacity(catalog, '16xlarge')).toMatchObject({ partitions_per_node_at_default_segment: 4096 });
    expect([memoryMib(catalog, 'free'), memoryMib(catalog, 'small')]).toEqual([512, 4096]);
  });

  it('grows with the memory of the tier', () => {
    const [a, b] = [capacity(catalog, 'small'), capacity(catalog, 'medium')];
    expect(b.partitions_per_node_at_default_segment).toBe(2 * a.partitions_per_node_at_default_segment);
    expect(a.partitions_per_node_at_min_segment).toBeGreaterThan(a.partitions_per_node_at_default_segment);
  });
});
