import type { Database, Secrets } from '../src/index.js';
import type { RepositoryCalls } from './typeorm-calls.fixture.js';

/** The calls of one repository, each with a new instance. */
export function callsOf<Repository>(
  owner: new (database: Database, secrets: Secrets) => Repository,
  calls: Record<string, (repository: Repository) => Promise<unknown>>,
): RepositoryCalls {
  const bound = Object.entries(calls).map(([method, call]) => [
    method,
    (database: Database, secrets: Secrets) => call(new owner(database, secrets)),
  ]);
  return { owner: owner.name, calls: Object.fromEntries(bound) as RepositoryCalls['calls'] };
}
