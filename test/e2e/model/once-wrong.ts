import type { Command, ManagedRequest, TenantOptions } from './commands.js';

const order = (more: Partial<ManagedRequest> = {}): ManagedRequest => ({
  ...{ name: 'orders', tier: 'small', cluster: 'cluster', managed_tier: 'standard' },
  ...more,
});
const FREE: ManagedRequest = { name: 'orders', tier: 'free', cluster: 'standalone' };
const PRO: TenantOptions = { plan: 'pro', pays: true };

/** Sequences that once failed because the product differed from the contract, in their shrunk form. */
export const ONCE_WRONG: [string, TenantOptions, Command[]][] = [
  [
    'a Free deployment does not grow, however it was made: it would have cost nothing',
    PRO,
    [
      { do: 'create', request: FREE, pace: 'done' },
      { do: 'upgrade', nth: 0, request: { tier: 'small' }, pace: 'done' },
      { do: 'upgrade', nth: 0, request: { storage: { size: 200 } }, pace: 'done' },
      { do: 'upgrade', nth: 0, request: { managed_tier: 'standard' }, pace: 'done' },
    ],
  ],
  [
    'a name that is taken is reported before a limit that is reached',
    PRO,
    [
      { do: 'create', request: FREE, pace: 'done' },
      { do: 'start', name: 'orders', pace: 'done' },
    ],
  ],
  [
    'what is under way is reported before a limit that is reached',
    { plan: 'basic', pays: true },
    [
      { do: 'create', request: order({ tier: 'medium' }), pace: 'done' },
      { do: 'create', request: order({ name: 'events' }), pace: 'asked' },
      { do: 'upgrade', nth: 1, request: { tier: 'medium' }, pace: 'done' },
    ],
  ],
  [
    'what the plan does not include is reported before what is under way',
    PRO,
    [
      { do: 'create', request: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, request: { tier: 'medium' }, pace: 'begun' },
      { do: 'upgrade', nth: 0, request: { managed_tier: 'enterprise' }, pace: 'done' },
    ],
  ],
  [
    'terms that come to nothing do not end the cooldown of the hardware',
    PRO,
    [
      { do: 'create', request: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, request: { tier: 'medium' }, pace: 'done' },
      { do: 'upgrade', nth: 0, request: { managed_tier: 'performance' }, pace: 'given_up' },
      { do: 'upgrade', nth: 0, request: { tier: 'large' }, pace: 'done' },
    ],
  ],
  [
    'days that were chosen under terms that come to nothing are no more than the old terms include',
    PRO,
    [
      { do: 'create', request: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, request: { managed_tier: 'performance' }, pace: 'asked' },
      { do: 'retain', nth: 0, days: 30 },
      { do: 'cancel', nth: 0 },
    ],
  ],
  [
    'a cancelled upgrade gives the nodes their earlier size at the provider',
    PRO,
    [
      { do: 'create', request: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, request: { storage: { size: 149 } }, pace: 'begun' },
      { do: 'cancel', nth: 0 },
      { do: 'work' },
    ],
  ],
];
