import { Injectable } from '@nestjs/common';
import type { ChannelId, DeploymentId, DivisionId, EnvironmentId, SubscriptionId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { NotificationSubscription } from './entities/notification-subscription.entity.js';

/** A resource that limits a subscription. The name is null when the resource is deleted. */
export interface ScopedThing<Id extends number> {
  id: Id;
  name: string | null;
}

/** The included resources of each level. An empty level includes all. */
export interface SubscriptionScope {
  tenantIds: readonly TenantId[];
  divisionIds: readonly DivisionId[];
  environmentIds: readonly EnvironmentId[];
  deploymentIds: readonly DeploymentId[];
}

export interface NewSubscription extends SubscriptionScope {
  messageTypes: readonly string[];
}

export interface Subscription {
  id: SubscriptionId;
  channelId: ChannelId;
  messageTypes: string[];
  scopeTenants: ScopedThing<TenantId>[];
  scopeDivisions: ScopedThing<DivisionId>[];
  scopeEnvironments: ScopedThing<EnvironmentId>[];
  scopeDeployments: ScopedThing<DeploymentId>[];
  createdAt: Date;
  updatedAt: Date;
}

/** The ids of a scope that match no resource of the owner. */
export type UnknownScope = SubscriptionScope;

const named = (table: string, ids: string): string => `
  (select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'name', n.name) order by x.at), '[]')
     from unnest(s.${ids}) with ordinality as x(id, at)
     left join ${table} n on n.id = x.id and n.${table === 'tenants' ? 'id' : 'tenant_id'} = s.tenant_id)`;
const COLUMNS = `s.id, s.channel_id as "channelId", s.message_types as "messageTypes",
  ${named('tenants', 'scope_tenant_ids')} as "scopeTenants", ${named('divisions', 'scope_division_ids')} as "scopeDivisions",
  ${named('environments', 'scope_environment_ids')} as "scopeEnvironments",
  ${named('deployments', 'scope_deployment_ids')} as "scopeDeployments",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;
const OF_CHANNEL = 's.tenant_id = $1 and s.channel_id = $2';

const LIST = paged('subscription.list', {
  columns: COLUMNS,
  rows: `from notification_subscriptions s where ${OF_CHANNEL}`,
  id: 's.id',
  keys: { created_at: byTime('s.created_at') },
});
const FIND = statement(
  'subscription.find',
  `select ${COLUMNS} from notification_subscriptions s where ${OF_CHANNEL} and s.id = $3`,
);
const USAGE = statement(
  'subscription.usage',
  `select count(*)::int as count from notification_subscriptions s join notification_channels c on c.id = s.channel_id
    where s.tenant_id = $1 and s.channel_id is distinct from $2
      and not exists (select from divisions d where d.id = c.division_id and d.deleted_at is not null)`,
);
const REPLACE = statement(
  'subscription.replace',
  `with gone as (delete from notification_subscriptions where tenant_id = $1 and channel_id = $2)
   insert into notification_subscriptions (tenant_id, channel_id, message_types, scope_tenant_ids, scope_division_ids,
     scope_environment_ids, scope_deployment_ids)
   select $1, $2, array(select jsonb_array_elements_text(n.value -> 'messageTypes')), ${['tenantIds', 'divisionIds', 'environmentIds', 'deploymentIds'].map((name) => `array(select jsonb_array_elements_text(n.value -> '${name}')::bigint)`).join(', ')}
     from jsonb_array_elements($3::jsonb) with ordinality as n(value, at) order by n.at`,
);
const OF_DIVISION = '($2::bigint is null or x.division_id = $2)';
const missing = (ids: string, from: string): string =>
  `array(select id from unnest(${ids}::bigint[]) as asked(id) where not exists (select from ${from}))`;
// Deleted resources count as unknown although their rows exist.
const UNKNOWN = statement(
  'subscription.unknown',
  `select ${missing('$3', 'tenants x where x.id = asked.id and x.id = $1')} as "tenantIds",
          ${missing('$4', 'divisions x where x.id = asked.id and x.tenant_id = $1 and x.deleted_at is null and ($2::bigint is null or x.id = $2)')} as "divisionIds",
          ${missing('$5', `environments x where x.id = asked.id and x.tenant_id = $1 and x.deleted_at is null and ${OF_DIVISION}`)} as "environmentIds",
          ${missing('$6', `deployments x join deployment_runtimes r on r.deployment_id = x.id and r.deleted_at is null where x.id = asked.id and x.tenant_id = $1 and ${OF_DIVISION}`)} as "deploymentIds"`,
);

const scopeValues = (scope: SubscriptionScope) => [
  scope.tenantIds,
  scope.divisionIds,
  scope.environmentIds,
  scope.deploymentIds,
];

/** Subscriptions of channels. Every statement has the tenant and the channel, which was read under its owner. */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly database: Database) {}

  async list(tenantId: TenantId, channelId: ChannelId, request: PageRequest): Promise<PageOf<Subscription>> {
    return readPage<Subscription>(this.database, LIST, [tenantId, channelId], request);
  }

  /** All subscriptions of a channel as they were requested, oldest first. */
  async all(tenantId: TenantId, channelId: ChannelId): Promise<NewSubscription[]> {
    const where = { tenant_id: tenantId, channel_id: channelId };
    // No plan allows more than 1000.
    const oldest = { where, order: { id: 'ASC' }, take: 1000 } as const;
    const rows = await this.database.repository(NotificationSubscription).find(oldest);
    return rows.map((row) => ({
      ...{ messageTypes: row.message_types, tenantIds: row.scope_tenant_ids, divisionIds: row.scope_division_ids },
      ...{ environmentIds: row.scope_environment_ids, deploymentIds: row.scope_deployment_ids },
    }));
  }

  async find(tenantId: TenantId, channelId: ChannelId, id: SubscriptionId): Promise<Subscription | null> {
    return this.database.first<Subscription>(FIND, [tenantId, channelId, id]);
  }

  /** All subscriptions of the tenant, except those of one channel. */
  async count(tenantId: TenantId, except: number | null): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(USAGE, [tenantId, except]);
    return row?.count ?? 0;
  }

  /** Returns the new id. */
  async insert(tenantId: TenantId, channelId: ChannelId, subscription: NewSubscription): Promise<SubscriptionId> {
    const { messageTypes, tenantIds, divisionIds, environmentIds, deploymentIds } = subscription;
    const { identifiers } = await this.database.repository(NotificationSubscription).insert({
      ...{ tenant_id: tenantId, channel_id: channelId, message_types: [...messageTypes] },
      ...{ scope_tenant_ids: [...tenantIds], scope_division_ids: [...divisionIds] },
      ...{ scope_environment_ids: [...environmentIds], scope_deployment_ids: [...deploymentIds] },
    });
    return Number(identifiers[0]?.['id']);
  }

  /** Replaces all subscriptions in one statement. */
  async replace(tenantId: TenantId, channelId: ChannelId, subscriptions: readonly NewSubscription[]): Promise<void> {
    await this.database.execute(REPLACE, [tenantId, channelId, JSON.stringify(subscriptions)]);
  }

  /** Returns false when there was no such subscription. */
  async delete(tenantId: TenantId, channelId: ChannelId, id: SubscriptionId): Promise<boolean> {
    const subscription = { tenant_id: tenantId, channel_id: channelId, id };
    const { affected } = await this.database.repository(NotificationSubscription).delete(subscription);
    return affected === 1;
  }

  /** The requested ids that match no resource of the tenant, or of the division. */
  async unknown(tenantId: TenantId, divisionId: DivisionId | null, scope: SubscriptionScope): Promise<UnknownScope> {
    const [row] = await this.database.query<UnknownScope>(UNKNOWN, [tenantId, divisionId, ...scopeValues(scope)]);
    return row ?? { tenantIds: [], divisionIds: [], environmentIds: [], deploymentIds: [] };
  }
}
