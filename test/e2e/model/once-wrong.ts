import type { Command, ManagedWish, TenantWish } from './commands.js';

const order = (more: Partial<ManagedWish> = {}): ManagedWish => ({
  ...{ name: 'orders', tier: 'small', cluster: 'cluster', managed_tier: 'standard' },
  ...more,
});
const FREE: ManagedWish = { name: 'orders', tier: 'free', cluster: 'standalone' };
const PRO: TenantWish = { plan: 'pro', pays: true };

/** Sequences on which the product and the contract once did not agree, as they were found and shrunk. */
export const ONCE_WRONG: [string, TenantWish, Command[]][] = [
  [
    'a Free deployment does not grow, however it was made: it would have cost nothing',
    PRO,
    [
      { do: 'create', wish: FREE, pace: 'done' },
      { do: 'upgrade', nth: 0, wish: { tier: 'small' }, pace: 'done' },
      { do: 'upgrade', nth: 0, wish: { storage: { size: 200 } }, pace: 'done' },
      { do: 'upgrade', nth: 0, wish: { managed_tier: 'standard' }, pace: 'done' },
    ],
  ],
  [
    'a name that is taken is told before a limit that is reached',
    PRO,
    [
      { do: 'create', wish: FREE, pace: 'done' },
      { do: 'start', name: 'orders', pace: 'done' },
    ],
  ],
  [
    'what is under way is told before a limit that is reached',
    { plan: 'basic', pays: true },
    [
      { do: 'create', wish: order({ tier: 'medium' }), pace: 'done' },
      { do: 'create', wish: order({ name: 'events' }), pace: 'asked' },
      { do: 'upgrade', nth: 1, wish: { tier: 'medium' }, pace: 'done' },
    ],
  ],
  [
    'what the plan does not include is told before what is under way',
    PRO,
    [
      { do: 'create', wish: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, wish: { tier: 'medium' }, pace: 'begun' },
      { do: 'upgrade', nth: 0, wish: { managed_tier: 'enterprise' }, pace: 'done' },
    ],
  ],
  [
    'terms that come to nothing do not end the cooldown of the hardware',
    PRO,
    [
      { do: 'create', wish: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, wish: { tier: 'medium' }, pace: 'done' },
      { do: 'upgrade', nth: 0, wish: { managed_tier: 'performance' }, pace: 'given_up' },
      { do: 'upgrade', nth: 0, wish: { tier: 'large' }, pace: 'done' },
    ],
  ],
  [
    'days that were chosen under terms that come to nothing are no more than the old terms include',
    PRO,
    [
      { do: 'create', wish: order(), pace: 'done' },
      { do: 'upgrade', nth: 0, wish: { managed_tier: 'performance' }, pace: 'asked' },
      { do: 'retain', nth: 0, days: 30 },
      { do: 'cancel', nth: 0 },
    ],
  ],
];
