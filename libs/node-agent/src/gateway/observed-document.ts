import type { StatusRequest } from '@libs/domain';

type Observed = StatusRequest['observed'];

/** The newest document that is applied wholly, when each part says which one it has applied: the oldest of theirs. */
export function appliedByAll(first: Observed, ...others: Observed[]): Observed {
  return others.reduce((oldest, one) => (isOlder(one, oldest) ? one : oldest), first);
}

function isOlder(one: Observed, other: Observed): boolean {
  return one.timeline === other.timeline ? one.generation < other.generation : one.timeline < other.timeline;
}
