import { Injectable, type Type } from '@nestjs/common';
import type { FieldIssue } from '@libs/domain';

/** Reports further faults of a body whose members at the given paths are malformed. */
export type FaultFinder<T extends object> = (dto: T, malformed: ReadonlySet<string>) => FieldIssue[];

/**
 * A malformed body never reaches its service, which has the rules beyond the form. A module can register here the
 * faults that its service would report. So a caller gets every fault at once. A finder only adds to an existing
 * refusal: the service alone checks a well-formed body.
 */
@Injectable()
export class FurtherFaults {
  private readonly finders = new Map<unknown, FaultFinder<object>>();

  /** Called once per body class at start. */
  find<T extends object>(dto: Type<T>, finder: FaultFinder<T>): void {
    this.finders.set(dto, finder as FaultFinder<object>);
  }

  /** Returns the given faults and the further faults, each path once. */
  added(metatype: unknown, dto: object, issues: readonly FieldIssue[]): FieldIssue[] {
    const malformed = new Set(issues.map(({ path }) => path));
    const faults = this.finders.get(metatype)?.(dto, malformed) ?? [];
    return eachPathOnce([...issues, ...faults]);
  }
}

/** Returns the first issue of each path, so that one error is reported once. */
export function eachPathOnce(issues: readonly FieldIssue[]): FieldIssue[] {
  const paths = new Set<string>();
  return issues.filter(({ path }) => !paths.has(path) && paths.add(path));
}
