import { overlap } from '@libs/domain';
import type { ResourceState } from '../cloud-provider.js';
import { peeringConditions } from '../peering-conditions.js';
import type { VpcPeeringStatus } from '../resource-attributes.js';
import type { ResourceRecord } from './records/resource-records.js';

export const DEFAULT_SETTLE_MS = 200;
/** The pace for a settled resource, for a node whose agent starts, and for a connection that waits for its other side. */
const [SETTLED_LOOK_MS, NODE_LOOK_MS, OTHER_SIDE_LOOK_MS] = [60_000, 1_000, 4_000];
/** EC2 waits this long for the other side. No setting makes it shorter. */
export const ACCEPTANCE_MS = 7 * 24 * 60 * 60 * 1000;

export interface Condition {
  state: ResourceState;
  reason?: string;
}

/** The condition of resources without processes, from the clock and the actions of the other side. */
export function conditionOf(record: ResourceRecord, now: number): Condition {
  if (record.deleting_at !== null) return { state: 'deleting' };
  if (isPeering(record)) return PEERING_CONDITIONS[vpcPeeringStatus(record, now)];
  return { state: isOver(record, record.created_at, now) ? 'active' : 'pending' };
}

/**
 * Milliseconds until the state can change by the clock. A state that only other parties or processes change is looked at at
 * a fixed pace.
 */
export function pollAfterMs(record: ResourceRecord, { state }: Condition, now: number): number {
  if (state !== 'pending' && state !== 'deleting') return SETTLED_LOOK_MS;
  if (record.kind === 'node') return NODE_LOOK_MS;
  const since = record.deleting_at ?? (isPeering(record) ? record.answer?.at : undefined) ?? record.created_at;
  const msLeft = since + settleMs(record) - now;
  return msLeft > 0 ? Math.ceil(msLeft) : OTHER_SIDE_LOOK_MS;
}

/** Whether its deletion has ended. */
export const hasVanished = (record: ResourceRecord, now: number): boolean =>
  record.deleting_at !== null && isOver(record, record.deleting_at, now);

/** Whether the provider has started to work on it, or had started before its deletion was requested. */
export const isBegun = (record: ResourceRecord, now: number): boolean =>
  isOver(record, record.created_at, record.deleting_at ?? now);

/** The status of a peering of AWS, like EC2 reports it. */
export function vpcPeeringStatus(record: ResourceRecord<'vpc_peering'>, now: number): VpcPeeringStatus {
  if (record.deleting_at !== null) return 'deleting';
  if (!isBegun(record, now)) return 'initiating_request';
  if (record.network_cidr !== undefined && overlap(record.spec.peer_cidr, record.network_cidr)) return 'failed';
  const { answer } = record;
  if (answer?.what === 'accepted') return isOver(record, answer.at, now) ? 'active' : 'provisioning';
  if (answer !== undefined) return answer.what;
  return now - record.created_at >= ACCEPTANCE_MS ? 'expired' : 'pending_acceptance';
}

/** The state of a peering of Google Cloud, with details in the provider's text. */
export function networkPeeringState({ answer }: ResourceRecord<'network_peering'>): {
  status: 'inactive' | 'active';
  details: string;
} {
  if (answer?.what === 'accepted') return { status: 'active', details: 'Connected.' };
  const details = answer === undefined ? 'Waiting for peer network to connect.' : 'Peering deleted by peer network.';
  return { status: 'inactive', details };
}

const PEERING_CONDITIONS = peeringConditions('the ranges of the two networks overlap');

const isPeering = (record: ResourceRecord): record is ResourceRecord<'vpc_peering'> => record.kind === 'vpc_peering';

const isOver = (record: ResourceRecord, sinceMs: number, now: number): boolean => now - sinceMs >= settleMs(record);

const settleMs = (record: ResourceRecord): number => record.settle_ms ?? DEFAULT_SETTLE_MS;
