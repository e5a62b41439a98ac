const STATEMENTS = 'libs/workflow/src/operation-statements.ts';
const MOVES = 'libs/workflow/src/operation-moves.ts';
const RUNNER = ['libs/workflow/src/runner.spec.ts', 'libs/workflow/src/runner-signals.spec.ts'];
const FENCE = ['libs/workflow/src/fence.spec.ts'];

/** Leases, signals and the states of deployments. */
export const WORKFLOW = [
  {
    name: 'moves without the token of the lease',
    file: STATEMENTS,
    before: "id = $1 and lease_token = $2 and status = 'running'`;",
    after: "id = $1 and $2::bigint is not null and status = 'running'`;",
    specs: FENCE,
  },
  {
    name: 'renews a lease without its token',
    file: STATEMENTS,
    before: "where id = $1 and lease_token = $2 and status = 'running'`,",
    after: "where id = $1 and $2::bigint is not null and status = 'running'`,",
    specs: FENCE,
  },
  {
    name: 'takes an operation whose lease has not ended',
    file: MOVES,
    before: 'and o.wake_at <= now() and (o.lease_until is null or o.lease_until < now())',
    after: 'and o.wake_at <= now()',
    specs: RUNNER,
  },
  {
    name: 'forgets a signal that came during the step before a nap',
    file: MOVES,
    before: 'case when o.signal_seq <> b.signal_seq then now() else',
    after: 'case when b.signal_seq is null then now() else',
    specs: RUNNER,
  },
];

/** States, plans and prices. */
export const DOMAIN = [
  {
    name: 'changes the state of a deployment from any state',
    file: 'libs/persistence/src/runtime/runtimes.repository.ts',
    before: '(status = any($4) or status = $2)',
    after: '($4::text[] is not null)',
    specs: ['libs/persistence/src/runtime/runtimes.repository.spec.ts'],
  },
  {
    name: 'lets a failed deployment become initialized',
    file: 'libs/domain/src/deployments/deployment-state.ts',
    before: "failed: ['deleting'],",
    after: "failed: ['initialized', 'deleting'],",
    specs: ['libs/domain/src/deployments/operations.spec.ts'],
  },
  {
    name: 'lets a scoped key reach other divisions',
    file: 'libs/domain/src/access/permission-tree.ts',
    before: 'if (divisionScope === null) return true;',
    after: 'return true;',
    specs: ['libs/domain/src/access/permission-tree.spec.ts'],
  },
  {
    name: 'makes the range of an allowlist one bit too wide',
    file: 'libs/domain/src/cidr.ts',
    before: 'subject.match(network, bits);',
    after: 'subject.match(network, Math.max(0, bits - 1));',
    specs: ['libs/domain/src/cidr.spec.ts'],
  },
];

export const CATALOG = [
  {
    name: 'allows one more than the limit of the plan',
    file: 'libs/catalog/src/require-entitled.ts',
    before: 'if (usage + requested <= value) return;',
    after: 'if (usage + requested <= value + 1) return;',
    specs: ['libs/catalog/src/entitlements.spec.ts'],
  },
  {
    name: 'rounds half a cent up',
    file: 'libs/catalog/src/pricing.ts',
    before: 'Decimal.ROUND_HALF_EVEN',
    after: 'Decimal.ROUND_HALF_UP',
    specs: ['libs/catalog/src/pricing.spec.ts'],
  },
  {
    name: 'charges the storage of one node only',
    file: 'libs/catalog/src/pricing.ts',
    before: 'line(storagePrice(catalog, shape).mul(nodes).mul(factor))',
    after: 'line(storagePrice(catalog, shape).mul(factor))',
    specs: ['libs/catalog/src/pricing.spec.ts'],
  },
];
