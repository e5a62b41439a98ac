import type { Resource } from '@libs/cloud';
import { nap, type Nap } from '@libs/workflow';

/** Sleeps until the first of the resources is worth another read, by their provider. */
export const pollLater = (resources: readonly Pick<Resource, 'poll_after_ms'>[], reason: string): Nap =>
  nap(`${Math.min(...resources.map(({ poll_after_ms }) => poll_after_ms))}ms`, reason);

/** The progress, with what the provider says about a node. Null: the provider says nothing. */
export const withReason = (progress: string, reason: string | null): string =>
  reason === null ? progress : `${progress}; ${reason}`;
