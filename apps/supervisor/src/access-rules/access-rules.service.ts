import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import {
  type BrokerDriver,
  DomainError,
  findGrant,
  OFFERED_PROTOCOLS,
  requireFreeName,
  Written,
  type AccessRuleId,
} from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import {
  AccessRulesRepository,
  NodeDocumentsRepository,
  RuntimesRepository,
  type AccessRuleRow,
} from '@libs/persistence/runtime';
import { lockDeployment, requireAlive, TenantPlans } from '../platform/index.js';
import { RULE_FLAGS, type AccessRuleView } from './dto/access-rule.view.js';
import type { CreateAccessRuleDto } from './dto/create-access-rule.dto.js';
import { readAccessRule } from './read-access-rule.js';

/** Access rules of the nodes of a deployment. The transaction of each change publishes it to all nodes. */
@Injectable()
export class AccessRulesService {
  constructor(
    private readonly rules: AccessRulesRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly plans: TenantPlans,
    private readonly ledger: Ledger,
  ) {}

  async list({ deployment }: ActingCaller): Promise<AccessRuleView[]> {
    const driver = await this.rules.driver(deployment.id);
    return (await this.rules.list(deployment.id)).map((rule) => toView(rule, driver));
  }

  /** @throws DomainError validation_failed, name_taken, plan_limit_reached, state_conflict */
  async create(actor: ActingCaller, dto: CreateAccessRuleDto): Promise<Written<AccessRuleView>> {
    const newRule = readAccessRule(dto, new Date());
    const { id } = actor.deployment;
    requireAlive(await lockDeployment(this.runtimes, id));
    await this.requireFreeName(actor, newRule.name);
    requireBelowLimit(await this.plans.of(actor.tenantId), 'deployment_access_rules_limit', await this.rules.count(id));
    const rule = await this.rules.insert(id, newRule);
    await this.publish(actor, 'access_rule_added', rule);
    return new Written(toView(rule, await this.rules.driver(id)), { 'access-rule': rule.id });
  }

  /** @throws DomainError access_rule_not_found, state_conflict */
  async delete(actor: ActingCaller, id: AccessRuleId): Promise<void> {
    requireAlive(await lockDeployment(this.runtimes, actor.deployment.id));
    const rule = await this.rules.delete(actor.deployment.id, id);
    if (!rule) throw new DomainError('access_rule_not_found', 'No such access rule.');
    await this.publish(actor, 'access_rule_deleted', rule);
  }

  private async requireFreeName(actor: ActingCaller, name: string): Promise<void> {
    const id = await this.rules.findIdByName(actor.deployment.id, name);
    const scope = { divisionId: actor.division.id, environmentId: actor.environment.id };
    const isReadable = (): boolean => findGrant(actor.caller.holding, 'deployment:access:read', scope) !== null;
    requireFreeName('access rule', name, { id, isReadable });
  }

  private async publish(
    actor: ActingCaller,
    audit: 'access_rule_added' | 'access_rule_deleted',
    { remarks, cidr_blocks, rules }: AccessRuleRow,
  ): Promise<void> {
    await this.documents.publishAll(actor.deployment.id, actor.traceId);
    const { author, context, traceId } = actor;
    const data = { cidrs: cidr_blocks, ...(remarks && { description: remarks }), rules };
    await this.ledger.record({ audit, author, context, data, traceId });
  }
}

const toView = (rule: AccessRuleRow, driver: BrokerDriver | null): AccessRuleView => ({
  id: rule.id,
  name: rule.name,
  remarks: rule.remarks,
  rules: rule.rules,
  cidr_blocks: rule.cidr_blocks,
  valid_to: rule.valid_to?.toISOString() ?? null,
  unavailable: RULE_FLAGS.filter((flag) => rule.rules[flag] && driver !== null && !isOffered(driver, flag)),
  created_at: rule.created_at.toISOString(),
});

const isOffered = (driver: BrokerDriver, flag: (typeof RULE_FLAGS)[number]): boolean =>
  OFFERED_PROTOCOLS[driver].some((protocol) => flag === `broker_${protocol}`);
