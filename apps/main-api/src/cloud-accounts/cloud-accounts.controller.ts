import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  Actor,
  Creates,
  FailsWith,
  IfMatch,
  Lists,
  PathId,
  Reads,
  Routes,
  WithinPlan,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written, type CloudAccountId } from '@libs/domain';
import { CloudAccountsService } from './cloud-accounts.service.js';
import { CloudAccountItemView, CloudAccountView } from './dto/cloud-account.view.js';
import { CloudAccountsQuery } from './dto/cloud-accounts.query.js';
import { CreateCloudAccountDto } from './dto/create-cloud-account.dto.js';
import { UpdateCloudAccountDto } from './dto/update-cloud-account.dto.js';

@Routes('tenants/:tenant_id/cloud_accounts', 'Cloud accounts', { cloud_account_id: 'A cloud account of the tenant.' })
export class CloudAccountsController {
  constructor(private readonly accounts: CloudAccountsService) {}

  /** Saves a cloud account of the tenant. */
  @Post()
  @Writes('settings:manage', 'cloud_account_created')
  @Creates(CloudAccountView, 'cloud-account')
  @WithinPlan('cloud_accounts_limit')
  @FailsWith('name_taken')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateCloudAccountDto): Promise<Written<CloudAccountView>> {
    return this.accounts.create(actor, dto);
  }

  /** Lists the cloud accounts, without settings and remarks. */
  @Get()
  @Lists('settings:read', CloudAccountItemView)
  list(@Actor() actor: ActingCaller, @Query() query: CloudAccountsQuery): Promise<Page<CloudAccountItemView>> {
    return this.accounts.list(actor, query);
  }

  /** Reads one cloud account with settings and remarks. */
  @Get(':cloud_account_id')
  @Reads('settings:read', CloudAccountView)
  get(@Actor() actor: ActingCaller, @PathId() id: CloudAccountId): Promise<CloudAccountView> {
    return this.accounts.get(actor, id);
  }

  /** Changes a cloud account; members that are left out stay unchanged. */
  @Put(':cloud_account_id')
  @WritesWhenChanged('settings:manage', 'cloud_account_updated')
  @FailsWith('name_taken')
  update(
    @Actor() actor: ActingCaller,
    @PathId() id: CloudAccountId,
    @Body() dto: UpdateCloudAccountDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.accounts.update(actor, id, dto, precondition);
  }

  /** Removes a cloud account. Its BYOC deployments keep running, but cannot be provisioned again. */
  @Delete(':cloud_account_id')
  @Writes('settings:manage', 'cloud_account_deleted')
  delete(
    @Actor() actor: ActingCaller,
    @PathId() id: CloudAccountId,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.accounts.delete(actor, id, precondition);
  }
}
