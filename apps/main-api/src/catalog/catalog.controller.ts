import { Get, Param } from '@nestjs/common';
import { Actor, anywhere, FailsWith, Reads, Routes, type ActingCaller } from '@libs/http';
import { CatalogService } from './catalog.service.js';
import { CloudView, RegionView, StorageView, TierView } from './dto/catalog.view.js';

/** Discovery: the clouds, regions, compute sizes and storage types for new deployments. */
@Routes('tenants/:tenant_id/clouds', 'Discovery', { cloud: 'Key of the cloud.', region: 'Key of the region.' })
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  /** Lists the clouds. */
  @Get()
  @Reads(anywhere('deployment:read'), [CloudView])
  clouds(): Promise<CloudView[]> {
    return this.catalog.clouds();
  }

  /** Lists the regions of a cloud. */
  @Get(':cloud/regions')
  @Reads(anywhere('deployment:read'), [RegionView])
  @FailsWith('cloud_not_found')
  regions(@Param('cloud') cloud: string): Promise<RegionView[]> {
    return this.catalog.regions(cloud);
  }

  /** Lists the compute sizes in a region, with how many more the plan permits. */
  @Get(':cloud/regions/:region/tiers')
  @Reads(anywhere('deployment:read'), [TierView])
  @FailsWith('cloud_not_found', 'region_not_found')
  tiers(
    @Actor() actor: ActingCaller,
    @Param('cloud') cloud: string,
    @Param('region') region: string,
  ): Promise<TierView[]> {
    return this.catalog.tiers(actor, cloud, region);
  }

  /** Lists the storage types in a region. */
  @Get(':cloud/regions/:region/storages')
  @Reads(anywhere('deployment:read'), [StorageView])
  @FailsWith('cloud_not_found', 'region_not_found')
  storages(@Param('cloud') cloud: string, @Param('region') region: string): StorageView[] {
    return this.catalog.storages(cloud, region);
  }
}
