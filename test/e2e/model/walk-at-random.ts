import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { aSequence, aTenant } from './commands.js';
import type { ModelInstallation } from './model-installation.js';
import { ModelWalk } from './model-walk.js';

/** Number of parallel walks. Each sequence has its own tenant, so a leak between tenants also shows. */
const PARALLEL_WALKS = 8;

/** MODEL_SEED repeats the sequence of a failure. */
export const MODEL_SEED = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31 - PARALLEL_WALKS));

/**
 * Plays this many random sequences. Shrinks a sequence with a difference between model and product, and throws it with
 * its seed. Returns how often each outcome of each command occurred.
 */
export async function walkAtRandom(installation: ModelInstallation, sequences: number): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const seen = (what: string): void => void outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  const sequence = fc.asyncProperty(aTenant, aSequence, async (options, commands) =>
    (await ModelWalk.begin(installation, options, seen)).play(commands),
  );
  const walks = Array.from({ length: PARALLEL_WALKS }, (_, walk) =>
    fc.assert(sequence, { seed: MODEL_SEED + walk, numRuns: Math.ceil(sequences / PARALLEL_WALKS) }),
  );
  // Wait for all walks: otherwise the product would be stopped while other walks still use it.
  const failed = (await Promise.allSettled(walks)).find((walk) => walk.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes;
}
