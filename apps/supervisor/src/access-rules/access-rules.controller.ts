import { Body, Controller, Delete, Get, Ip, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  Creates,
  FailsWith,
  Idempotent,
  InTransaction,
  NoContent,
  OfDeployment,
  OfTheDeployment,
  PathId,
  RequirePermission,
  Returns,
  WithinPlan,
  type ActingCaller,
} from '@libs/http';
import { type Written, type AccessRuleId } from '@libs/domain';
import { AccessRulesService } from './access-rules.service.js';
import { callerAddress } from './caller-address.js';
import { AccessRuleView } from './dto/access-rule.view.js';
import { CallerAddressView } from './dto/caller-address.view.js';
import { CreateAccessRuleDto } from './dto/create-access-rule.dto.js';

@ApiTags('Access rules')
@Controller('deployments/:deployment_id/access_rules')
export class AccessRulesController {
  constructor(private readonly rules: AccessRulesService) {}

  /** Lists the access rules, newest first. Without a rule no client can connect. */
  @Get()
  @RequirePermission('deployment:access:read')
  @OfDeployment()
  @Returns([AccessRuleView])
  list(@Actor() actor: ActingCaller): Promise<AccessRuleView[]> {
    return this.rules.list(actor);
  }

  /** Reads the address from which the Supervisor sees the caller, for a rule that admits the caller. */
  @Get('caller')
  @RequirePermission('deployment:access:read')
  @OfDeployment()
  @Returns(CallerAddressView)
  caller(@Ip() address: string): CallerAddressView {
    return callerAddress(address);
  }

  /**
   * Allows clients of the CIDRs to connect by the enabled protocols. Every node enforces the rule within one second.
   */
  @Post()
  @RequirePermission('deployment:access:manage')
  @Idempotent()
  @Audited('access_rule_added')
  @OfDeployment()
  @Creates(AccessRuleView, 'access-rule')
  @WithinPlan('deployment_access_rules_limit')
  @FailsWith('name_taken', 'state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateAccessRuleDto): Promise<Written<AccessRuleView>> {
    return this.rules.create(actor, dto);
  }

  /** Ends the rule at once: connections that no other rule allows are cut. */
  @Delete(':access_rule_id')
  @RequirePermission('deployment:access:manage')
  @InTransaction()
  @Audited('access_rule_deleted')
  @OfTheDeployment('access_rule', 'The rule.')
  @NoContent()
  @FailsWith('state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId('access_rule_id') id: AccessRuleId): Promise<void> {
    return this.rules.delete(actor, id);
  }
}
