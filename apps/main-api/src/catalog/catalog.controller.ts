import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Actor, FailsWith, InTenant, RequirePermission, Returns, type ActingCaller } from '@libs/http';
import { CatalogService } from './catalog.service.js';
import { CloudView, RegionView, StorageView, TierView } from './dto/catalog.view.js';

const CLOUD = { name: 'cloud', schema: { type: 'string' }, description: 'Key of the cloud.' };
const REGION = { name: 'region', schema: { type: 'string' }, description: 'Key of the region.' };

/** Discovery: the clouds, regions, compute sizes and storage types for new deployments. */
@ApiTags('Discovery')
@Controller('tenants/:tenant_id/clouds')
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  /** Lists the clouds. */
  @Get()
  @RequirePermission('deployment:read', { anywhere: true })
  @InTenant()
  @Returns([CloudView])
  clouds(): Promise<CloudView[]> {
    return this.catalog.clouds();
  }

  /** Lists the regions of a cloud. */
  @Get(':cloud/regions')
  @ApiParam(CLOUD)
  @RequirePermission('deployment:read', { anywhere: true })
  @InTenant()
  @Returns([RegionView])
  @FailsWith('cloud_not_found')
  regions(@Param('cloud') cloud: string): Promise<RegionView[]> {
    return this.catalog.regions(cloud);
  }

  /** Lists the compute sizes in a region, with how many more the plan permits. */
  @Get(':cloud/regions/:region/tiers')
  @ApiParam(CLOUD)
  @ApiParam(REGION)
  @RequirePermission('deployment:read', { anywhere: true })
  @InTenant()
  @Returns([TierView])
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
  @ApiParam(CLOUD)
  @ApiParam(REGION)
  @RequirePermission('deployment:read', { anywhere: true })
  @InTenant()
  @Returns([StorageView])
  @FailsWith('cloud_not_found', 'region_not_found')
  storages(@Param('cloud') cloud: string, @Param('region') region: string): StorageView[] {
    return this.catalog.storages(cloud, region);
  }
}
