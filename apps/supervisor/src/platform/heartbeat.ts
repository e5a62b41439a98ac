import type { SupervisorConfig } from '../config.js';

const LONGEST_INTERVAL_MS = 10_000;

/** Milliseconds between two reports of an agent: at least four reports within NODE_UNREACHABLE_SECONDS. */
export const heartbeatMs = ({ NODE_UNREACHABLE_SECONDS }: SupervisorConfig): number =>
  Math.min(LONGEST_INTERVAL_MS, (NODE_UNREACHABLE_SECONDS * 1000) / 4);
