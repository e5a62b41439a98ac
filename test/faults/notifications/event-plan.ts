import type { SeededRandom } from '@libs/testing';

/** A tenant with channels, and with places for events. */
export interface PlayedTenant {
  id: number;
  /** API key with all permissions. */
  key: string;
  divisions: { id: number; environmentId: number }[];
}

/** Ids; an empty list means all. */
export interface PlayedSubscription {
  types: string[];
  divisions: number[];
  environments: number[];
}

export interface PlayedChannel {
  id: number;
  /** Path of the channel at the receiver. */
  path: string;
  secret: string;
  tenantId: number;
  /** Null for a channel of the tenant itself. */
  divisionId: number | null;
  subscriptions: PlayedSubscription[];
}

export interface PlayedEvent {
  /** Identifies the event at the receiver. */
  key: string;
  type: string;
  tenantId: number;
  divisionId: number | null;
  environmentId: number | null;
}

const TYPES = ['node_unreachable', 'node_reachable', 'deployment_upgraded', 'high_cpu_usage', 'environment_updated'];

/** A second implementation of the rules C-24.3 and C-24.8: whether the channel gets the event. */
export const isMatch = (event: PlayedEvent, channel: PlayedChannel): boolean =>
  channel.tenantId === event.tenantId &&
  (channel.divisionId === null || channel.divisionId === event.divisionId) &&
  (channel.subscriptions.length === 0 ||
    channel.subscriptions.some(
      ({ types, divisions, environments }) =>
        types.includes(event.type) && holds(divisions, event.divisionId) && holds(environments, event.environmentId),
    ));

const holds = (ids: number[], id: number | null): boolean => ids.length === 0 || (id !== null && ids.includes(id));

/** The subscriptions of a channel within its owner; half of the channels have none. */
export function planSubscriptions(
  random: SeededRandom,
  { divisions }: PlayedTenant,
  divisionId: number | null,
): PlayedSubscription[] {
  if (random.next() < 0.5) return [];
  const within = divisions.filter(({ id }) => divisionId === null || id === divisionId);
  return Array.from({ length: 1 + Math.floor(random.next() * 2) }, () => {
    const { id, environmentId } = random.pick(within);
    const types = TYPES.filter(() => random.next() < 0.5);
    const level = random.pick(['none', 'division', 'environment']);
    return {
      types: types.length > 0 ? types : [random.pick(TYPES), 'division_created'],
      divisions: level === 'division' ? [id] : [],
      environments: level === 'environment' ? [environmentId] : [],
    };
  });
}

/** An event of a tenant, a division or an environment. */
export function planEvent(random: SeededRandom, tenants: readonly PlayedTenant[], number: number): PlayedEvent {
  const tenant = random.pick(tenants);
  const { id, environmentId } = random.pick(tenant.divisions);
  const depth = random.next();
  return {
    key: `event ${number}`,
    type: random.pick(TYPES),
    tenantId: tenant.id,
    divisionId: depth < 0.2 ? null : id,
    environmentId: depth < 0.6 ? null : environmentId,
  };
}
