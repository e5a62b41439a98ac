import { Example, IsIdList, IsWordList, NestedList, Optional } from '@libs/http';
import { EVENTS } from '@libs/domain';

const TYPES = Object.keys(EVENTS);
/** Maximum resources of one level in a subscription. */
const MOST_IDS = 100;
/** The limit of the largest plan. */
const MOST_SUBSCRIPTIONS = 500;

/** The events of a subscription. An event must have one of the types, and match every level with ids. */
@Example<SubscriptionDto>({ message_types: ['deployment_degraded', 'deployment_recovered'] })
export class SubscriptionDto {
  /** Types of events. */
  @IsWordList(1, TYPES)
  message_types: string[];

  @Optional()
  @IsIdList(0, MOST_IDS, 'The tenant itself; empty for all.')
  scope_tenant_ids?: number[];

  @Optional()
  @IsIdList(0, MOST_IDS, 'Divisions; empty for all.')
  scope_division_ids?: number[];

  @Optional()
  @IsIdList(0, MOST_IDS, 'Environments; empty for all.')
  scope_environment_ids?: number[];

  @Optional()
  @IsIdList(0, MOST_IDS, 'Deployments; empty for all.')
  scope_deployment_ids?: number[];
}

/** All subscriptions of a channel. */
@Example<SubscriptionsDto>({ subscriptions: [{ message_types: ['deployment_degraded', 'deployment_recovered'] }] })
export class SubscriptionsDto {
  @NestedList(SubscriptionDto, [0, MOST_SUBSCRIPTIONS], 'Empty: every event is delivered.')
  subscriptions: SubscriptionDto[];
}
