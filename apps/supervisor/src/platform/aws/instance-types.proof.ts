import { EC2, type InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { loadCatalog, STORAGE_TYPES, TIERS, type StorageType, type Tier } from '@libs/catalog';
import { processorOf } from '@libs/cloud';
import { freePorts, MotoServer, skippedSuite } from '@libs/testing';
import { KEYS } from '../../../test/moto-account.fixture.js';

const MIB_PER_GIB = 1024;
const ARCHITECTURES = { arm64: 'arm64', x64: 'x86_64' } as const;
const missing = await MotoServer.install();
const describeWithMoto = missing === null ? describe : skippedSuite('Moto is missing', missing);

/** Moto ships AWS's own lists of instance types, and of the zones that offer them. */
describeWithMoto('The instance types of the catalog, in the lists of AWS', () => {
  const catalog = loadCatalog();
  const combinations = TIERS.flatMap((tier) => STORAGE_TYPES.map((storage) => [tier, storage] as [Tier, StorageType]));
  const listed = combinations.filter(([tier, storage]) => catalog.tier(tier).storages.includes(storage));
  const regions = catalog.regions('aws').map(({ key }) => key);
  let moto: MotoServer;
  let types: Map<string, InstanceTypeInfo>;
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    moto = await MotoServer.start(port);
    const names = combinations.flatMap(([tier, storage]) => catalog.awsInstanceTypes(tier, storage));
    const InstanceTypes = [...new Set(names)] as never[];
    const { InstanceTypes: found = [] } = await at('us-east-1').describeInstanceTypes({ InstanceTypes });
    types = new Map(found.map((type) => [String(type.InstanceType), type]));
  });
  afterAll(() => moto.stop());

  const at = (region: string): EC2 => new EC2({ endpoint: moto.endpoint, region, credentials: KEYS });

  it.each(listed)('for %s with %s have what the tier promises', (tier, storage) => {
    const promised = catalog.tier(tier);
    const disk = storage === 'local_ssd' ? promised.local_ssd_gb : 0;
    const short = catalog.awsInstanceTypes(tier, storage).filter((name) => {
      const has = sizeOf(types.get(name));
      const isLarge = has.vcpus >= promised.vcpus && has.mib >= promised.memory_gib * MIB_PER_GIB && has.diskGb >= disk;
      return !isLarge || !has.architectures.includes(ARCHITECTURES[processorOf(name)]);
    });

    expect(short).toEqual([]);
    expect(new Set(catalog.awsInstanceTypes(tier, storage).map(processorOf))).toEqual(new Set(['arm64', 'x64']));
  });

  it.each(regions)('are offered in the region %s, or the catalog does not offer the tier there', async (region) => {
    const offers = new Set<string>();
    let token: string | undefined;
    do {
      const { InstanceTypeOfferings = [], NextToken } = await at(region).describeInstanceTypeOfferings({
        ...{ LocationType: 'region' },
        ...(token !== undefined && { NextToken: token }),
      });
      for (const { InstanceType } of InstanceTypeOfferings) offers.add(String(InstanceType));
      token = NextToken;
    } while (token !== undefined);
    const here = catalog.findRegion('aws', region);
    const offered = listed.filter(
      ([tier, storage]) => here && catalog.isTierOffered(here, tier) && catalog.isStorageOffered(here, storage),
    );
    const without = offered.filter(
      ([tier, storage]) => !catalog.awsInstanceTypes(tier, storage).some((name) => offers.has(name)),
    );

    expect(without.map((one) => one.join(' '))).toEqual([]);
  });
});

const sizeOf = ({ VCpuInfo, MemoryInfo, InstanceStorageInfo, ProcessorInfo }: InstanceTypeInfo = {}) => ({
  vcpus: VCpuInfo?.DefaultVCpus ?? 0,
  mib: MemoryInfo?.SizeInMiB ?? 0,
  diskGb: InstanceStorageInfo?.TotalSizeInGB ?? 0,
  architectures: (ProcessorInfo?.SupportedArchitectures ?? []) as string[],
});
