import { Body, Delete, Get, Ip, Post } from '@nestjs/common';
import { Actor, Creates, FailsWith, PathId, Reads, Routes, WithinPlan, Writes, type ActingCaller } from '@libs/http';
import { type Written, type AccessRuleId } from '@libs/domain';
import { AccessRulesService } from './access-rules.service.js';
import { callerAddress } from './caller-address.js';
import { AccessRuleView } from './dto/access-rule.view.js';
import { CallerAddressView } from './dto/caller-address.view.js';
import { CreateAccessRuleDto } from './dto/create-access-rule.dto.js';

@Routes('deployments/:deployment_id/access_rules', 'Access rules', { access_rule_id: 'The rule.' })
export class AccessRulesController {
  constructor(private readonly rules: AccessRulesService) {}

  /** Lists the access rules, newest first. Without a rule no client can connect. */
  @Get()
  @Reads('deployment:access:read', [AccessRuleView])
  list(@Actor() actor: ActingCaller): Promise<AccessRuleView[]> {
    return this.rules.list(actor);
  }

  /** Reads the address from which the Supervisor sees the caller, for a rule that admits the caller. */
  @Get('caller')
  @Reads('deployment:access:read', CallerAddressView)
  caller(@Ip() address: string): CallerAddressView {
    return callerAddress(address);
  }

  /**
   * Allows clients of the CIDRs to connect by the enabled protocols. Every node enforces the rule within one second.
   */
  @Post()
  @Writes('deployment:access:manage', 'access_rule_added')
  @Creates(AccessRuleView, 'access-rule')
  @WithinPlan('deployment_access_rules_limit')
  @FailsWith('name_taken', 'state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateAccessRuleDto): Promise<Written<AccessRuleView>> {
    return this.rules.create(actor, dto);
  }

  /** Ends the rule at once: connections that no other rule allows are cut. */
  @Delete(':access_rule_id')
  @Writes('deployment:access:manage', 'access_rule_deleted')
  @FailsWith('state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId() id: AccessRuleId): Promise<void> {
    return this.rules.delete(actor, id);
  }
}
