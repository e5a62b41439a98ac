import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  FailsWith,
  Idempotent,
  InEnvironment,
  NotAudited,
  PreparesFirst,
  RequirePermission,
  Returns,
  WithinPlan,
  type ActingCaller,
  type Prepared,
} from '@libs/http';
import { ByocService } from './byoc.service.js';
import { AccountVerdictView } from './dto/account-verdict.view.js';
import { ValidateAccountDto } from './dto/validate-account.dto.js';

@ApiTags('Deployments')
@Controller('tenants/:tenant_id/divisions/:division_id/environments/:environment_id/byoc')
export class ByocController {
  constructor(private readonly byoc: ByocService) {}

  /** Checks whether deployments can be created in an account of the customer. The request creates nothing there. */
  @Post('validate')
  @HttpCode(200)
  @RequirePermission('deployment:manage')
  @Idempotent()
  @PreparesFirst()
  @NotAudited('a look; saved cloud accounts show when it last went well')
  @InEnvironment()
  @WithinPlan('byoc_enabled')
  @Returns(AccountVerdictView)
  @FailsWith('provider_unavailable')
  validate(@Actor() actor: ActingCaller, @Body() dto: ValidateAccountDto): Promise<Prepared<AccountVerdictView>> {
    return this.byoc.validate(actor, dto);
  }
}
