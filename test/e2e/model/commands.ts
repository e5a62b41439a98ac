import fc from 'fast-check';
import { SIZES, TERMS } from './deployment-price.js';

/** Index of a deployment, counted from the oldest, modulo the number of deployments. */
type Nth = number;

/** The protection code that a DELETE sends. */
export type CodeShown = 'none' | 'newest' | 'older' | 'wrong';

interface StorageRequest {
  type?: string;
  size?: number;
}

export interface ManagedRequest {
  name: string;
  tier: string;
  cluster: string;
  managed_tier?: string;
  storage?: StorageRequest;
  availability_mode?: string;
  target_network_tput?: number;
  protected?: boolean;
  retention?: { telemetry_days: number };
}

export interface UpgradeRequest {
  tier?: string;
  storage?: StorageRequest;
  managed_tier?: string;
}

/**
 * How far the workers take an accepted operation at once: to its end, to its first wait, or not at all. With
 * `given_up`, an operator cancels it before the workers start.
 */
export type Pace = 'done' | 'begun' | 'asked' | 'given_up';

/** One action of a user, of the workers or of the clock. */
export type Command =
  | { do: 'create'; request: ManagedRequest; pace: Pace }
  | { do: 'start'; name: string | null; pace: Pace }
  | { do: 'upgrade'; nth: Nth; request: UpgradeRequest; pace: Pace }
  | { do: 'update'; nth: Nth; change: { protected?: boolean; description?: string } }
  | { do: 'retain'; nth: Nth; days: number }
  | { do: 'request_code'; nth: Nth }
  | { do: 'delete'; nth: Nth; code: CodeShown; pace: Pace }
  /** Cancels an operation in progress. */
  | { do: 'cancel'; nth: Nth }
  | { do: 'work' }
  | { do: 'wait'; seconds: number };

/** The owner of the deployments: its plan, and whether it has a payment method. */
export interface TenantOptions {
  plan: 'basic' | 'pro' | 'enterprise';
  pays: boolean;
}

export const aTenant: fc.Arbitrary<TenantOptions> = fc.record({
  plan: fc.constantFrom('pro', 'enterprise', 'basic', 'pro', 'enterprise'),
  pays: fc.nat({ max: 19 }).map((n) => n < 19),
});

const names = fc.constantFrom('orders', 'events', 'Orders', 'logs', 'metrics', 'trace');
const nth = fc.nat({ max: 4 });
const pace = fc.constantFrom<Pace>('done', 'done', 'done', 'done', 'done', 'begun', 'asked');
const slowPace = fc.constantFrom<Pace>('done', 'done', 'done', 'done', 'begun', 'asked', 'given_up');

/** A shape that most plans offer. */
const fitting: fc.Arbitrary<ManagedRequest> = fc.record(
  {
    name: names,
    tier: fc.constantFrom('small', 'small', 'medium'),
    cluster: fc.constant('cluster'),
    managed_tier: fc.constantFrom('standard', 'standard', 'standard', 'performance', 'performance', 'enterprise'),
    storage: fc.record({ type: fc.constant('network_balanced'), size: fc.constantFrom(100, 150, 200) }),
    protected: fc.boolean(),
    retention: fc.record({ telemetry_days: fc.constantFrom(5, 14, 14, 14, 15) }),
  },
  { requiredKeys: ['name', 'tier', 'cluster', 'managed_tier'] },
);
const fast: fc.Arbitrary<ManagedRequest> = fc.record({
  name: names,
  tier: fc.constantFrom('medium', 'large'),
  cluster: fc.constant('cluster'),
  managed_tier: fc.constantFrom('performance', 'enterprise'),
  storage: fc.record({ type: fc.constant('local_ssd') }),
});
const free: fc.Arbitrary<ManagedRequest> = fc.record(
  { name: names, tier: fc.constant('free'), cluster: fc.constant('standalone'), protected: fc.boolean() },
  { requiredKeys: ['name', 'tier', 'cluster'] },
);
/** Any request with the format of an order. */
const anything: fc.Arbitrary<ManagedRequest> = fc.record(
  {
    name: names,
    tier: fc.constantFrom(...SIZES),
    cluster: fc.constantFrom('cluster', 'cluster', 'standalone'),
    managed_tier: fc.constantFrom(...TERMS),
    storage: fc.record(
      { type: fc.constantFrom('network_balanced', 'local_ssd'), size: fc.constantFrom(100, 118, 300) },
      { requiredKeys: [] },
    ),
    availability_mode: fc.constantFrom('single_az', 'multi_az'),
    target_network_tput: fc.constantFrom(5_000, 24_000, 90_000),
    retention: fc.record({ telemetry_days: fc.constantFrom(7, 14, 30, 90, 91) }),
  },
  { requiredKeys: ['name', 'tier', 'cluster'] },
);

const upgradeRequest: fc.Arbitrary<UpgradeRequest> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ tier: fc.constantFrom('medium', 'large', 'large', 'xlarge', 'small') }) },
  {
    weight: 3,
    arbitrary: fc.record({ managed_tier: fc.constantFrom('performance', 'enterprise', 'performance', 'standard') }),
  },
  { weight: 2, arbitrary: fc.record({ storage: fc.record({ size: fc.constantFrom(149, 200, 250, 400) }) }) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        tier: fc.constantFrom(...SIZES),
        managed_tier: fc.constantFrom(...TERMS),
        storage: fc.record(
          { type: fc.constantFrom('network_balanced', 'local_ssd'), size: fc.constantFrom(100, 200, 300) },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
  },
);

const order = fc.oneof(
  { weight: 6, arbitrary: fitting },
  { weight: 1, arbitrary: fast },
  { weight: 1, arbitrary: free },
  { weight: 2, arbitrary: anything },
);

const first = fc.oneof(
  { weight: 9, arbitrary: fitting },
  { weight: 1, arbitrary: fast },
  { weight: 1, arbitrary: free },
);

/** Multiples of a minute. A sequence really takes a second or two, so this never decides about a time limit. */
const seconds = fc.constantFrom(60, 300, 600, 900);

const aCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create'), request: order, pace }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('start'), name: fc.option(names), pace }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('upgrade'), nth, request: upgradeRequest, pace: slowPace }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('update'),
      nth,
      change: fc.record({ protected: fc.boolean(), description: fc.constantFrom('', 'a', 'b') }, { requiredKeys: [] }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('retain'), nth, days: fc.constantFrom(1, 7, 14, 30, 90, 91) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('request_code'), nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('delete'),
      nth,
      code: fc.constantFrom('none', 'newest', 'newest', 'newest', 'older', 'wrong'),
      pace,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel'), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('work') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait'), seconds }) },
);

/** A sequence starts with a creation: without a deployment most commands do nothing. */
export const aSequence: fc.Arbitrary<Command[]> = fc
  .tuple(
    fc.record({ do: fc.constant('create' as const), request: first, pace }),
    fc.array(aCommand, { minLength: 3, maxLength: 13, size: 'max' }),
  )
  .map(([first, rest]) => [first, ...rest]);
