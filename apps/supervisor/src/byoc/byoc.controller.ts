import { Body, Post } from '@nestjs/common';
import {
  Actor,
  FailsWith,
  PreparesFirst,
  Returns,
  Routes,
  WithinPlan,
  WritesUnaudited,
  type ActingCaller,
  type Prepared,
} from '@libs/http';
import { ByocService } from './byoc.service.js';
import { AccountVerdictView } from './dto/account-verdict.view.js';
import { ValidateAccountDto } from './dto/validate-account.dto.js';

@Routes('tenants/:tenant_id/divisions/:division_id/environments/:environment_id/byoc', 'Deployments')
export class ByocController {
  constructor(private readonly byoc: ByocService) {}

  /** Checks whether deployments can be created in an account of the customer. The request creates nothing there. */
  @Post('validate')
  @WritesUnaudited('deployment:manage', 'a look; saved cloud accounts show when it last went well')
  @PreparesFirst()
  @WithinPlan('byoc_enabled')
  @Returns(AccountVerdictView)
  @FailsWith('provider_unavailable')
  validate(@Actor() actor: ActingCaller, @Body() dto: ValidateAccountDto): Promise<Prepared<AccountVerdictView>> {
    return this.byoc.validate(actor, dto);
  }
}
