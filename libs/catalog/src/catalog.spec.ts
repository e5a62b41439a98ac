import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { MANAGED_TIERS, NETWORK_SCOPES, TIERS } from './catalog.schema.js';
import { Entitlements } from './entitlements.js';
import { CatalogInvalid, loadCatalog } from './load-catalog.js';
import { capacity, nodeCount, quote, type Shape } from './pricing.js';

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

describe('The catalog', () => {
  const directory = mkdtempSync(join(tmpdir(), 'catalog-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('has at least six regions in each cloud, in us, eu and ap, with all tiers in the first', () => {
    for (const { key } of catalog.clouds()) {
      const regions = catalog.regions(key);
      expect(regions.length).toBeGreaterThanOrEqual(6);
      expect([...new Set(regions.map(({ area }) => area))]).toEqual(expect.arrayContaining(['us', 'eu', 'ap']));
      expect(catalog.tiers().every(({ key: tier }) => catalog.isTierOffered(regions[0]!, tier))).toBe(true);
    }
  });

  it('refuses an invalid file and lists every problem', () => {
    const file = join(directory, 'catalog.json');
    writeFileSync(file, JSON.stringify({ ...catalog.data, version: '', tiers: [] }));

    expect(() => loadCatalog(file)).toThrow(CatalogInvalid);
    expect(() => loadCatalog(file)).toThrow(/version[\s\S]*tiers|tiers[\s\S]*version/);
  });

  it('lets a tenant override its plan', () => {
    const entitled = new Entitlements(catalog, 'basic', {
      limits: { divisions_limit: 9 },
      flags: { byoc_enabled: true },
    });

    expect([entitled.limit('divisions_limit'), entitled.limit('members_limit')]).toEqual([9, 3]);
    expect([entitled.has('byoc_enabled'), entitled.has('backup_enabled')]).toEqual([true, false]);
    expect([entitled.tierLimit('small'), entitled.tierLimit('large')]).toEqual([1, 0]);
  });
});

describe('A price', () => {
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
  it('grows with the memory of the tier', () => {
    const [a, b] = [capacity(catalog, 'small'), capacity(catalog, 'medium')];
    expect(b.partitions_per_node_at_default_segment).toBe(2 * a.partitions_per_node_at_default_segment);
    expect(a.partitions_per_node_at_min_segment).toBeGreaterThan(a.partitions_per_node_at_default_segment);
  });
});
