import type { Database, Secrets } from '../src/index.js';

/** One call of each method of a repository that reads or writes through TypeORM, on the rows of `ROWS`. */
export interface RepositoryCalls {
  owner: string;
  calls: Record<string, (database: Database, secrets: Secrets) => Promise<unknown>>;
}

/** The calls of one repository, each with a new instance. */
export function callsOf<Repository>(
  owner: new (database: Database, secrets: Secrets) => Repository,
  calls: Record<string, (repository: Repository) => Promise<unknown>>,
): RepositoryCalls {
  return callsOn(owner.name, (database, secrets) => new owner(database, secrets), calls);
}

/** The calls of one class, each with the instance that `make` makes. */
export function callsOn<Owner>(
  owner: string,
  make: (database: Database, secrets: Secrets) => Owner,
  calls: Record<string, (instance: Owner) => Promise<unknown>>,
): RepositoryCalls {
  const bound = Object.entries(calls).map(([method, call]) => [
    method,
    (database: Database, secrets: Secrets) => call(make(database, secrets)),
  ]);
  return { owner, calls: Object.fromEntries(bound) as RepositoryCalls['calls'] };
}
