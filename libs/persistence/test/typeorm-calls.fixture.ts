import type { Database, Secrets } from '../src/index.js';
import { BILLING_CALLS } from './billing-calls.fixture.js';
import { CHANNELS_CALLS } from './channels-calls.fixture.js';
import { OPERATOR_CALLS } from './operator-calls.fixture.js';
import { ORGANIZATION_CALLS } from './organization-calls.fixture.js';
import { RUNTIME_CALLS } from './runtime-calls.fixture.js';

/** One call of each method of a repository that reads or writes through TypeORM, on the rows of `ROWS`. */
export interface RepositoryCalls {
  owner: string;
  calls: Record<string, (database: Database, secrets: Secrets) => Promise<unknown>>;
}

/** Every repository that uses TypeORM. A method without a call here fails the architecture tests. */
export const TYPEORM_CALLS: RepositoryCalls[] = [
  ...[...ORGANIZATION_CALLS, ...BILLING_CALLS, ...CHANNELS_CALLS, ...OPERATOR_CALLS, ...RUNTIME_CALLS],
];
