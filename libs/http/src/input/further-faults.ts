import { Injectable, type Type } from '@nestjs/common';
import type { FieldIssue } from '@libs/domain';

/** Tells what else is wrong with a body, of whose members those at the given paths are malformed. */
export type FaultFinder<T extends object> = (dto: T, malformed: ReadonlySet<string>) => FieldIssue[];

/**
 * A malformed body never reaches its service, which alone knows the rules beyond its form; so that a caller is told every
 * fault at once all the same, a room may leave word here of what it would have found. Only adds to a refusal that stands:
 * a body that is well-formed is judged by its service as ever.
 */
@Injectable()
export class FurtherFaults {
  private readonly finders = new Map<unknown, FaultFinder<object>>();

  /** At boot, once for a class of bodies. */
  find<T extends object>(dto: Type<T>, finder: FaultFinder<T>): void {
    this.finders.set(dto, finder as FaultFinder<object>);
  }

  /** The given faults and those that were found beyond, each path once. */
  added(metatype: unknown, dto: object, issues: readonly FieldIssue[]): FieldIssue[] {
    const malformed = new Set(issues.map(({ path }) => path));
    const found = this.finders.get(metatype)?.(dto, malformed) ?? [];
    return eachPathOnce([...issues, ...found]);
  }
}

/** The first issue of each path: one thing to mend is told once. */
export function eachPathOnce(issues: readonly FieldIssue[]): FieldIssue[] {
  const seen = new Set<string>();
  return issues.filter(({ path }) => !seen.has(path) && seen.add(path));
}
