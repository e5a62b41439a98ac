import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { aSequence, aTenant } from './commands.js';
import type { ModelHouse } from './model-house.js';
import { ModelWalk } from './model-walk.js';

/** Walks at the same time, each sequence in a tenant of its own: what leaks from one to another shows, too. */
const PARALLEL_WALKS = 8;

/** MODEL_SEED plays again what a failure named. */
export const MODEL_SEED = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31 - PARALLEL_WALKS));

/**
 * Plays so many random sequences, shrinks one that the model and the house do not agree on, and throws it with its seed.
 * Answers how often each outcome of each command was seen.
 */
export async function walkAtRandom(house: ModelHouse, sequences: number): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const seen = (what: string): void => void outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  const sequence = fc.asyncProperty(aTenant, aSequence, async (requested, commands) =>
    (await ModelWalk.begin(house, requested, seen)).play(commands),
  );
  const walks = Array.from({ length: PARALLEL_WALKS }, (_, walk) =>
    fc.assert(sequence, { seed: MODEL_SEED + walk, numRuns: Math.ceil(sequences / PARALLEL_WALKS) }),
  );
  // All come to their end, or the house would be torn down under those that still walk.
  const failed = (await Promise.allSettled(walks)).find((walk) => walk.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes;
}
