import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogSchema, TIERS, type RegionData } from './catalog.schema.js';
import { CatalogInvalid, loadCatalog } from './load-catalog.js';

const catalog = loadCatalog();
describe('The catalog', () => {
  const directory = mkdtempSync(join(tmpdir(), 'catalog-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('gives the rate of the Free tier in bytes, and none of the paid tiers', () => {
    expect(TIERS.map((tier) => catalog.rateLimitBytes(tier))).toEqual([100_000, ...Array(8).fill(null)]);
  });

  it('refuses a rate that no gate can enforce', () => {
    for (const rate_limit of ['100', '0 KB/s', '1.5 KB/s', 'fast', '100 KB']) {
      const tiers = catalog.data.tiers.map((tier) => ({ ...tier, rate_limit }));
      expect(catalogSchema.safeParse({ ...catalog.data, tiers }).success).toBe(false);
    }
  });

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

  it('finds clouds, regions and tiers by key, and nothing by another key', () => {
    expect([catalog.findCloud('gcp'), catalog.findCloud('azure'), catalog.findCloud('toString')]).toEqual([
      'gcp',
      null,
      null,
    ]);
    expect([catalog.findRegion('aws', 'eu-west-1')?.area, catalog.findRegion('gcp', 'eu-west-1')]).toEqual([
      'eu',
      null,
    ]);
    expect(catalog.tiers().map(({ key }) => catalog.tier(key).key)).toEqual([...TIERS]);
    expect(catalog.clouds()).toEqual([
      { key: 'aws', name: 'Amazon Web Services' },
      { key: 'gcp', name: 'Google Cloud' },
    ]);
  });

  it('offers in a region what the region does not exclude, and nothing while the region is unavailable', () => {
    const region = catalog.findRegion('aws', 'us-east-1') as RegionData;
    const limited: RegionData = { ...region, without_tiers: ['large'], without_storages: ['local_ssd'] };
    const offered = (one: RegionData): boolean[] => [
      catalog.isTierOffered(one, 'small'),
      catalog.isTierOffered(one, 'large'),
      catalog.isStorageOffered(one, 'network_balanced'),
      catalog.isStorageOffered(one, 'local_ssd'),
    ];

    expect(offered(region)).toEqual([true, true, true, true]);
    expect(offered(limited)).toEqual([true, false, true, false]);
    expect(offered({ ...region, available: false })).toEqual([false, false, false, false]);
  });

  it('has the retentions and the daily log of each plan', () => {
    expect(catalog.auditDaysByPlan()).toEqual({ basic: 7, pro: 90, enterprise: 365 });
    expect(catalog.dailyLogBytesByPlan()).toEqual({ basic: 2 ** 28, pro: 2 ** 30, enterprise: 2 ** 32 });
    expect([catalog.telemetryDays(null), catalog.telemetryDays('performance')]).toEqual([7, 30]);
  });
});

type Document = Record<string, any>;

describe('A catalog file', () => {
  /** The smallest document of each list: one region for each cloud, one zone, one storage for each tier. */
  const smallest = (): Document => {
    const document = structuredClone(catalog.data) as Document;
    for (const cloud of Object.values<Document>(document['clouds'])) {
      cloud['regions'] = cloud['regions'].slice(0, 1);
      cloud['regions'][0].zones = ['a'];
      Object.assign(cloud['regions'][0], { key: 'k', name: 'n' });
    }
    for (const tier of document['tiers']) Object.assign(tier, { clusters: ['cluster'], storages: ['local_ssd'] });
    for (const storage of Object.values<Document>(document['storages'])) storage['clusters'] = ['cluster'];
    document['version'] = '1';
    return document;
  };
  const region = (document: Document): Document => document['clouds'].aws.regions[0];

  it('may be as small as one of each', () => {
    expect(catalogSchema.safeParse(smallest()).error).toBeUndefined();
  });

  it.each<[string, (document: Document) => void]>([
    ['no region', (one) => (one['clouds'].aws.regions = [])],
    ['a region without a key', (one) => (region(one)['key'] = '')],
    ['a region without a name', (one) => (region(one)['name'] = '')],
    ['a region without a zone', (one) => (region(one)['zones'] = [])],
    ['a first region without a tier', (one) => (region(one)['without_tiers'] = ['small'])],
    ['a first region without a storage', (one) => (region(one)['without_storages'] = ['local_ssd'])],
    ['a first region that is unavailable', (one) => (region(one)['available'] = false)],
    ['a price with a sign', (one) => (one['tiers'][1].monthly_usd = '-1')],
    ['a tier less', (one) => one['tiers'].pop()],
    ['a tier without a cluster kind', (one) => (one['tiers'][1].clusters = [])],
    ['a tier without a storage', (one) => (one['tiers'][1].storages = [])],
    ['a storage without a cluster kind', (one) => (one['storages'].local_ssd.clusters = [])],
    ['half a gigabyte of NVMe', (one) => (one['tiers'][1].local_ssd_gb = 0.5)],
    ['no version', (one) => (one['version'] = '')],
    ['an unknown member', (one) => (one['more'] = 1)],
  ])('is refused with %s', (_, change) => {
    const document = smallest();
    change(document);

    expect(catalogSchema.safeParse(document).success).toBe(false);
  });

  it('names the first region that does not offer all, and accepts another region that does not', () => {
    const document = structuredClone(catalog.data) as Document;
    document['clouds'].gcp.regions[0].available = false;

    const { error } = catalogSchema.safeParse(document);

    expect(error?.issues.map(({ path }) => path)).toEqual([['clouds', 'gcp', 'regions', 0]]);
    expect(catalogSchema.safeParse(catalog.data).success).toBe(true);
  });

  it('without a limit of log lines gets the smallest limit', () => {
    const document = smallest();
    delete document['plans'].pro.node_log_mib_per_day;

    expect(catalogSchema.parse(document).plans.pro.node_log_mib_per_day).toBe(256);
  });
});
