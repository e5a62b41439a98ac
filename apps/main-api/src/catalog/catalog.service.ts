import { Injectable } from '@nestjs/common';
import { Catalog, type Cloud, type RegionData, type StorageType, type Tier } from '@libs/catalog';
import { DomainError, type TenantId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { CellsRepository, DeploymentsRepository } from '@libs/persistence/organization';
import { FreeDeployments, TenantEntitlements } from '../tenants/index.js';
import type { CloudView, RegionView, StorageView, TierView } from './dto/catalog.view.js';

/** The options of the tenant for new deployments. */
@Injectable()
export class CatalogService {
  constructor(
    private readonly cells: CellsRepository,
    private readonly deployments: DeploymentsRepository,
    private readonly catalog: Catalog,
    private readonly entitlements: TenantEntitlements,
    private readonly free: FreeDeployments,
  ) {}

  async clouds(): Promise<CloudView[]> {
    const cells = await this.cells.list();
    const driverOf = (cloud: Cloud): string | null =>
      cells.find((cell) => cell.cloud_drivers[cloud])?.cloud_drivers[cloud] ?? null;
    return this.catalog.clouds().map((cloud) => ({ ...cloud, driver: driverOf(cloud.key) }));
  }

  async regions(cloudKey: string): Promise<RegionView[]> {
    const cloud = this.cloud(cloudKey);
    const served = new Set((await this.cells.list()).flatMap((cell) => cell.regions));
    const isServed = (region: string): boolean => served.has('*') || served.has(`${cloud}/${region}`);
    return this.catalog
      .regions(cloud)
      .map(({ key, name, area, available }) => ({ key, name, area, available: available && isServed(key) }));
  }

  async tiers(actor: ActingCaller, cloudKey: string, regionKey: string): Promise<TierView[]> {
    const region = this.region(this.cloud(cloudKey), regionKey);
    const leftOf = await this.left(actor.tenantId);
    return this.catalog.tiers().map((tier) => ({
      key: tier.key,
      name: tier.name,
      description: tier.description,
      available: this.catalog.isTierOffered(region, tier.key),
      limit: leftOf(tier.key),
      clusters: tier.clusters,
      storages: tier.storages.filter((storage) => this.catalog.isStorageOffered(region, storage)),
      rate_limit: tier.rate_limit,
      vcpus: tier.vcpus,
      memory_gib: tier.memory_gib,
    }));
  }

  /** Returns the number of further deployments of a tier, by every limit of a creation. */
  private async left(tenantId: TenantId): Promise<(tier: Tier) => number> {
    const entitlements = await this.entitlements.of(tenantId);
    const usage = await this.deployments.usageByTier(tenantId);
    const freeLeft = await this.free.left(tenantId, entitlements);
    const total = [...usage.values()].reduce((sum, count) => sum + count, 0);
    const anyLeft = entitlements.limit('concurrent_deployments_limit') - total;
    return (tier) => {
      const tierLeft = entitlements.tierLimit(tier) - (usage.get(tier) ?? 0);
      return Math.max(0, Math.min(tierLeft, anyLeft, tier === 'free' ? freeLeft : Infinity));
    };
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
