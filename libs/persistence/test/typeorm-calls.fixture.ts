import { BILLING_CALLS } from './billing-calls.fixture.js';
import type { RepositoryCalls } from './calls-of.fixture.js';
import { CHANNELS_CALLS } from './channels-calls.fixture.js';
import { OPERATOR_CALLS } from './operator-calls.fixture.js';
import { ORGANIZATION_CALLS } from './organization-calls.fixture.js';
import { RUNTIME_CALLS } from './runtime-calls.fixture.js';

/** Every repository that uses TypeORM. A method without a call here fails the architecture tests. */
export const TYPEORM_CALLS: RepositoryCalls[] = [
  ...[...ORGANIZATION_CALLS, ...BILLING_CALLS, ...CHANNELS_CALLS, ...OPERATOR_CALLS, ...RUNTIME_CALLS],
];
