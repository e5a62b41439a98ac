import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  AuditedWhenChanged,
  Creates,
  FailsWith,
  HonoursIfMatch,
  Idempotent,
  IfMatch,
  InTenant,
  InTransaction,
  LocatedAt,
  NoContent,
  OfTenant,
  PathId,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  WithinPlan,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written, type CloudAccountId } from '@libs/domain';
import { CloudAccountsService } from './cloud-accounts.service.js';
import { CloudAccountItemView, CloudAccountView } from './dto/cloud-account.view.js';
import { CloudAccountsQuery } from './dto/cloud-accounts.query.js';
import { CreateCloudAccountDto } from './dto/create-cloud-account.dto.js';
import { UpdateCloudAccountDto } from './dto/update-cloud-account.dto.js';

const AN_ACCOUNT = 'A cloud account of the tenant.';

@ApiTags('Cloud accounts')
@Controller('tenants/:tenant_id/cloud_accounts')
export class CloudAccountsController {
  constructor(private readonly accounts: CloudAccountsService) {}

  /** Saves a cloud account of the tenant. */
  @Post()
  @RequirePermission('settings:manage')
  @Idempotent()
  @Audited('cloud_account_created')
  @InTenant()
  @Creates(CloudAccountView, 'cloud-account')
  @LocatedAt('/tenants/:tenant_id/cloud_accounts/:cloud-account')
  @WithinPlan('cloud_accounts_limit')
  @FailsWith('name_taken')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateCloudAccountDto): Promise<Written<CloudAccountView>> {
    return this.accounts.create(actor, dto);
  }

  /** Lists the cloud accounts, without settings and remarks. */
  @Get()
  @RequirePermission('settings:read')
  @InTenant()
  @ReturnsPageOf(CloudAccountItemView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: CloudAccountsQuery): Promise<Page<CloudAccountItemView>> {
    return this.accounts.list(actor, query);
  }

  /** Reads one cloud account with settings and remarks. */
  @Get(':cloud_account_id')
  @RequirePermission('settings:read')
  @OfTenant('cloud_account', AN_ACCOUNT)
  @Returns(CloudAccountView)
  get(@Actor() actor: ActingCaller, @PathId('cloud_account_id') id: CloudAccountId): Promise<CloudAccountView> {
    return this.accounts.get(actor, id);
  }

  /** Changes a cloud account; members that are left out stay unchanged. */
  @Put(':cloud_account_id')
  @RequirePermission('settings:manage')
  @Idempotent()
  @AuditedWhenChanged('cloud_account_updated')
  @OfTenant('cloud_account', AN_ACCOUNT)
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('name_taken')
  update(
    @Actor() actor: ActingCaller,
    @PathId('cloud_account_id') id: CloudAccountId,
    @Body() dto: UpdateCloudAccountDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.accounts.update(actor, id, dto, precondition);
  }

  /** Removes a cloud account. Its BYOC deployments keep running, but cannot be provisioned again. */
  @Delete(':cloud_account_id')
  @RequirePermission('settings:manage')
  @InTransaction()
  @Audited('cloud_account_deleted')
  @OfTenant('cloud_account', AN_ACCOUNT)
  @HonoursIfMatch()
  @NoContent()
  delete(
    @Actor() actor: ActingCaller,
    @PathId('cloud_account_id') id: CloudAccountId,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.accounts.delete(actor, id, precondition);
  }
}
