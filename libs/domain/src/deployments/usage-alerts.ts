import type { EventType } from './events.js';

/** What of a node can run out. */
export const USAGE_KINDS = ['cpu', 'memory', 'disk'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** The events of a spell: one when it begins, one when it is over. */
export const USAGE_EVENTS = {
  cpu: { high: 'high_cpu_usage', resolved: 'cpu_usage_resolved' },
  memory: { high: 'high_memory_usage', resolved: 'memory_usage_resolved' },
  disk: { high: 'high_disk_usage', resolved: 'disk_usage_resolved' },
} as const satisfies Record<UsageKind, Record<'high' | 'resolved', EventType>>;

/** When usage is high, and when it is so no longer. */
export interface UsageThresholds {
  /** Above so many percent usage is high. */
  highPercent: number;
  /** Below so many percent a spell is over; not above `highPercent`. */
  resolvedPercent: number;
  /** So many samples one after another make a spell. */
  samples: number;
}

/** What is remembered of one kind of usage of one node between two samples. */
export interface UsageState {
  /** Samples above the threshold, one after another, up to the number that makes a spell. */
  above: number;
  /** Whether a spell has begun and is not over. */
  isHigh: boolean;
}

export const CALM: UsageState = { above: 0, isHigh: false };

/** The state after one more sample. Between the two thresholds a spell goes on, and none begins. */
export function judgeUsage(state: UsageState, percent: number, thresholds: UsageThresholds): UsageState {
  if (state.isHigh) return percent < thresholds.resolvedPercent ? CALM : state;
  if (percent <= thresholds.highPercent) return CALM;
  const above = state.above + 1;
  return { above, isHigh: above >= thresholds.samples };
}
