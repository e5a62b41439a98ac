import { Injectable } from '@nestjs/common';
import { Catalog, type Cloud, type RegionData, type StorageType, type TierData } from '@libs/catalog';
import { DomainError, weakestFeatures } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { CellsRepository, type KnownCell } from '@libs/persistence/organization';
import { TenantEntitlements, TierQuotas } from '../tenants/index.js';
import { ServingCells, takesOrders, weakestOf } from './serving-cells.js';
import type { CloudView, RegionView, StorageView, TierView } from './dto/catalog.view.js';

/** The options of the tenant for new deployments. */
@Injectable()
export class CatalogService {
  constructor(
    private readonly cells: CellsRepository,
    private readonly catalog: Catalog,
    private readonly entitlements: TenantEntitlements,
    private readonly tierQuotas: TierQuotas,
  ) {}

  async clouds(): Promise<CloudView[]> {
    const cells = new ServingCells(await this.cells.list());
    return this.catalog.clouds().map((cloud) => {
      const serving = this.catalog.regions(cloud.key).map(({ key }) => cells.of(cloud.key, key));
      const servingCells = serving.filter((cell) => cell !== null);
      const driver = servingCells.find(takesOrders)?.cloud_drivers[cloud.key] ?? null;
      const features = weakestFeatures(servingCells.map((cell) => weakestOf(cell, cloud.key)));
      return { ...cloud, driver, features };
    });
  }

  async regions(cloudKey: string): Promise<RegionView[]> {
    const cloud = this.cloud(cloudKey);
    const cells = new ServingCells(await this.cells.list());
    return this.catalog.regions(cloud).map(({ key, name, area, available }) => {
      const cell = cells.of(cloud, key);
      const isServed = cell !== null && takesOrders(cell);
      return { key, name, area, available: available && isServed, ...featuresIn(cell, cloud) };
    });
  }

  async tiers(actor: ActingCaller, cloudKey: string, regionKey: string): Promise<TierView[]> {
    const cloud = this.cloud(cloudKey);
    const region = this.region(cloud, regionKey);
    const cell = new ServingCells(await this.cells.list()).of(cloud, region.key);
    const hasRateLimit = ({ clusters }: TierData): boolean =>
      cell !== null && weakestOf(cell, cloud, clusters).rate_limit !== 'none';
    const quotaOf = await this.tierQuotas.of(actor.tenantId, await this.entitlements.of(actor.tenantId));
    return this.catalog.tiers().map((tier) => ({
      key: tier.key,
      name: tier.name,
      description: tier.description,
      available: this.catalog.isTierOffered(region, tier.key),
      limit: quotaOf(tier.key).remaining,
      clusters: tier.clusters,
      storages: tier.storages.filter((storage) => this.catalog.isStorageOffered(region, storage)),
      rate_limit: hasRateLimit(tier) ? tier.rate_limit : null,
      vcpus: tier.vcpus,
      memory_gib: tier.memory_gib,
    }));
  }

  storages(cloudKey: string, regionKey: string): StorageView[] {
    const region = this.region(this.cloud(cloudKey), regionKey);
    return (Object.keys(this.catalog.data.storages) as StorageType[]).map((key) => {
      const { name, description, clusters } = this.catalog.data.storages[key];
      return { key, name, description, available: this.catalog.isStorageOffered(region, key), clusters };
    });
  }

  private cloud(key: string): Cloud {
    const cloud = this.catalog.findCloud(key);
    if (!cloud) throw new DomainError('cloud_not_found', 'No such cloud.');
    return cloud;
  }

  private region(cloud: Cloud, key: string): RegionData {
    const region = this.catalog.findRegion(cloud, key);
    if (!region) throw new DomainError('region_not_found', `The cloud ${cloud} has no such region.`);
    return region;
  }
}

/** Null where no Supervisor has ever served the region. */
function featuresIn(cell: KnownCell | null, cloud: string): Pick<RegionView, 'features' | 'features_by_cluster'> {
  if (cell === null) return { features: null, features_by_cluster: null };
  const [cluster, standalone] = [weakestOf(cell, cloud, ['cluster']), weakestOf(cell, cloud, ['standalone'])];
  return { features: weakestFeatures([cluster, standalone]), features_by_cluster: { cluster, standalone } };
}
