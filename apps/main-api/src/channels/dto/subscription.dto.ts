import { IsIdList, IsWordList, NestedList, Optional } from '@libs/http';
import { EVENTS } from '@libs/domain';

const TYPES = Object.keys(EVENTS);
/** Things of one level that a subscription names. */
const MOST_IDS = 100;
/** As many as the largest plan has. */
const MOST_SUBSCRIPTIONS = 500;

/** What a channel is to be told of. An event must be of one of the types, and within every level that is given. */
export class SubscriptionDto {
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
export class SubscriptionsDto {
  @NestedList(SubscriptionDto, [0, MOST_SUBSCRIPTIONS], 'Empty: every event is delivered.')
  subscriptions: SubscriptionDto[];
}
