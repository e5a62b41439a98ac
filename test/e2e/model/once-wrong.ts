import type { Command, ManagedRequest, TenantRequest } from './commands.js';

const order = (more: Partial<ManagedRequest> = {}): ManagedRequest => ({
  ...{ name: 'orders', tier: 'small', cluster: 'cluster', managed_tier: 'standard' },
  ...more,
});
const FREE: ManagedRequest = { name: 'orders', tier: 'free', cluster: 'standalone' };
const PRO: TenantRequest = { plan: 'pro', pays: true };

/** Sequences that once failed because the product differed from the contract, in their shrunk form. */
export const ONCE_WRONG: [string, TenantRequest, Command[]][] = [
  [
    'a Free deployment does not grow, however it was made: it would have cost nothing',
    PRO,
    [
      { do: 'create', requested: FREE, pace: 'done' },
      { do: 'upgrade', nth: 0, requested: { tier: 'small' }, pace: 'done' },
      { do: 'upgrade', nth: 0, requested: { storage: { size: 200 } }, pace: 'done' },
      { do: 'upgrade', nth: 0, requested: { managed_tier: 'standard' }, pace: 'done' },
    ],
  ],
  [
    'a name that is taken is reported before a limit that is reached',
    PRO,
    [
      { do: 'create', requested: FREE, pace: 'done' },
      { do: 'start', name: 'orders', pace: 'done' },
    ],
  ],
  [
    'what is under way is reported before a limit that is reached',
    { plan: 'basic', pays: true },
    [
      { do: 'create', requested: order({ tier: 'medium' }), pace: 'done' },
      { do: 'create', requested: order({ name: 'events' }), pace: 'asked' },
      { do: 'upgrade', nth: 1, requested: { tier: 'medium' }, pace: 'done' },
    ],
  ],
  [
    'what the plan does not include is reported before what is under way',
    PRO,
    [
      { do: 'create', requested: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, requested: { tier: 'medium' }, pace: 'begun' },
      { do: 'upgrade', nth: 0, requested: { managed_tier: 'enterprise' }, pace: 'done' },
    ],
  ],
  [
    'terms that come to nothing do not end the cooldown of the hardware',
    PRO,
    [
      { do: 'create', requested: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, requested: { tier: 'medium' }, pace: 'done' },
      { do: 'upgrade', nth: 0, requested: { managed_tier: 'performance' }, pace: 'given_up' },
      { do: 'upgrade', nth: 0, requested: { tier: 'large' }, pace: 'done' },
    ],
  ],
  [
    'days that were chosen under terms that come to nothing are no more than the old terms include',
    PRO,
    [
      { do: 'create', requested: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, requested: { managed_tier: 'performance' }, pace: 'asked' },
      { do: 'retain', nth: 0, days: 30 },
      { do: 'cancel', nth: 0 },
    ],
  ],
  [
    'a cancelled upgrade gives the nodes their earlier size at the provider',
    PRO,
    [
      { do: 'create', requested: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, requested: { storage: { size: 149 } }, pace: 'begun' },
      { do: 'cancel', nth: 0 },
      { do: 'work' },
    ],
  ],
];
