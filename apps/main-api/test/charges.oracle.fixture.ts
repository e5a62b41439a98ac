import type { Metered, Transferred } from './billing.fixture.js';

/** The amount of each line in cents, and exact quantities: node milliseconds, GB milliseconds, bytes. */
export interface Expected {
  computeMs: bigint;
  storageGbMs: bigint;
  bytes: bigint;
  computeCents: bigint;
  storageCents: bigint;
  transferCents: bigint;
}

/** 730 hours. */
const MONTH_MS = 730n * 3600_000n;

/** `numerator / denominator`, rounded half to even. */
function halfEven(numerator: bigint, denominator: bigint): bigint {
  const [whole, twice] = [numerator / denominator, 2n * (numerator % denominator)];
  if (twice === denominator) return whole % 2n === 0n ? whole : whole + 1n;
  return twice > denominator ? whole + 1n : whole;
}

/**
 * Implements the rules of charging (C-25.7, C-25.8, C-25.9) a second time, without SQL. Time is cut at every event of
 * the deployment. In each piece, the newest earlier shape applies. Takes all rows, in any order.
 */
export function expectedCharges(
  metered: readonly Metered[],
  transfers: readonly Transferred[],
  from: number,
  until: number,
): Expected {
  const inside = (at: number): boolean => at > from && at < until;
  const cuts = [...new Set([from, until, ...metered.map(({ at }) => at).filter(inside)])].sort((a, b) => a - b);
  const sums = { computeMs: 0n, storageGbMs: 0n, compute: 0n, storage: 0n };
  for (const [index, begin] of cuts.slice(0, -1).entries()) {
    const before = metered.filter(({ at }) => at <= begin);
    const shape = before.find(({ at }) => before.every((other) => other.at <= at))?.shape;
    if (!shape) continue;
    const ms = BigInt((cuts[index + 1] ?? begin) - begin);
    sums.computeMs += BigInt(shape.nodes) * ms;
    sums.storageGbMs += BigInt(shape.nodes * shape.storageGb) * ms;
    sums.compute += BigInt(shape.computeCents) * ms;
    sums.storage += BigInt(shape.storageCents) * ms;
  }
  const moved = transfers.filter(({ at }) => at >= from && at < until);
  const price = moved.reduce((sum, { bytes, microUsdPerGb }) => sum + BigInt(bytes) * BigInt(microUsdPerGb), 0n);
  return {
    computeMs: sums.computeMs,
    storageGbMs: sums.storageGbMs,
    bytes: moved.reduce((sum, { bytes }) => sum + BigInt(bytes), 0n),
    computeCents: halfEven(sums.compute, MONTH_MS),
    storageCents: halfEven(sums.storage, MONTH_MS),
    // From millionths of a dollar for 10⁹ bytes to cents.
    transferCents: halfEven(price, 10n ** 13n),
  };
}

export const usd = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
