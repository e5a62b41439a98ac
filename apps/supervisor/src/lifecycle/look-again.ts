import type { Resource } from '@libs/cloud';
import { nap, type Nap } from '@libs/workflow';

/** Sleeps until the first of the resources is worth another look, by their provider. */
export const lookAgain = (resources: readonly Pick<Resource, 'look_again_ms'>[], reason: string): Nap =>
  nap(`${Math.min(...resources.map(({ look_again_ms }) => look_again_ms))}ms`, reason);

/** The progress, with what the provider says about a node. Null: the provider says nothing. */
export const withReason = (progress: string, told: string | null): string =>
  told === null ? progress : `${progress}; ${told}`;
