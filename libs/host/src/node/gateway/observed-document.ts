import type { StatusRequest } from '@libs/domain';

type Observed = StatusRequest['observed'];

/** The newest document that all parts have applied: the oldest of their documents. */
export function appliedByAll(first: Observed, ...others: Observed[]): Observed {
  return others.reduce((oldest, one) => (isOlder(one, oldest) ? one : oldest), first);
}

function isOlder(one: Observed, other: Observed): boolean {
  return one.timeline === other.timeline ? one.generation < other.generation : one.timeline < other.timeline;
}
