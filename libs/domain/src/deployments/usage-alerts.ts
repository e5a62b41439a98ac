import type { EventType } from './events.js';

/** The resources of a node that can run out. */
export const USAGE_KINDS = ['cpu', 'memory', 'disk'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** The events of a period of high usage: one when it starts, one when it ends. */
export const USAGE_EVENTS = {
  cpu: { high: 'high_cpu_usage', resolved: 'cpu_usage_resolved' },
  memory: { high: 'high_memory_usage', resolved: 'memory_usage_resolved' },
  disk: { high: 'high_disk_usage', resolved: 'disk_usage_resolved' },
} as const satisfies Record<UsageKind, Record<'high' | 'resolved', EventType>>;

/** The limits that start and end a period of high usage. */
export interface UsageThresholds {
  /** Usage above this percentage is high. */
  highPercent: number;
  /** Usage below this percentage ends a period. Not above `highPercent`. */
  resolvedPercent: number;
  /** Number of consecutive high samples that start a period. */
  samples: number;
}

/** The stored state of one kind of usage of one node between two samples. */
export interface UsageState {
  /** Consecutive samples above the threshold, at most `samples`. */
  above: number;
  /** Whether a period of high usage has started and not ended. */
  isHigh: boolean;
}

export const CALM: UsageState = { above: 0, isHigh: false };

/** Returns the state after one more sample. Between the two thresholds a period continues, and no period starts. */
export function nextUsageState(state: UsageState, percent: number, thresholds: UsageThresholds): UsageState {
  if (state.isHigh) return percent < thresholds.resolvedPercent ? CALM : state;
  if (percent <= thresholds.highPercent) return CALM;
  const above = state.above + 1;
  return { above, isHigh: above >= thresholds.samples };
}
