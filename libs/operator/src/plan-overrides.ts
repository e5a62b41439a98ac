import { TIERS, type PlanOverrides } from '@libs/catalog';
import { FEATURE_FLAGS, LIMITS } from '@libs/domain';
import { OperatorRefused } from './operator-refused.js';

type Group = 'limits' | 'flags' | 'deployment_tiers';
type Overrides = Record<Group, Record<string, number | boolean>> & { enterprise_terms?: boolean };

const TERMS = 'enterprise_terms';
const GROUPS: Record<Group, { names: readonly string[]; prefix: string }> = {
  limits: { names: LIMITS, prefix: '' },
  flags: { names: FEATURE_FLAGS, prefix: '' },
  deployment_tiers: { names: TIERS, prefix: 'deployments.' },
};

/**
 * The overrides with these entries added: `<limit>=<number>`, `<flag>=true|false`, `deployments.<tier>=<number>`,
 * `enterprise_terms=true|false`. `<name>=` removes an override. @throws OperatorRefused that lists all invalid entries
 */
export function withOverrides(overrides: PlanOverrides, entries: readonly string[]): PlanOverrides {
  const result: Overrides = {
    ...overrides,
    limits: { ...overrides.limits },
    flags: { ...overrides.flags },
    deployment_tiers: { ...overrides.deployment_tiers },
  };
  const wrong = entries.filter((entry) => !apply(result, entry));
  if (wrong.length > 0) throw new OperatorRefused(`${wrong.join(', ')}: not a valid override. ${explanation()}`);
  return Object.fromEntries(
    Object.entries(result).filter(([, value]) => typeof value === 'boolean' || Object.keys(value).length > 0),
  );
}

function apply(overrides: Overrides, entry: string): boolean {
  const [, name = '', text = ''] = /^([a-z0-9_.]+)=(.*)$/.exec(entry) ?? [];
  if (name === TERMS) return applyTerms(overrides, text);
  for (const [group, { names, prefix }] of Object.entries(GROUPS) as [Group, (typeof GROUPS)[Group]][]) {
    const key = name.slice(prefix.length);
    if (!name.startsWith(prefix) || !names.includes(key)) continue;
    const value = group === 'flags' ? flagOf(text) : numberOf(text);
    if (text === '') delete overrides[group][key];
    else if (value !== null) overrides[group][key] = value;
    return text === '' || value !== null;
  }
  return false;
}

function applyTerms(overrides: Overrides, text: string): boolean {
  const value = flagOf(text);
  if (text === '') delete overrides[TERMS];
  else if (value !== null) overrides[TERMS] = value;
  return text === '' || value !== null;
}

const flagOf = (text: string): boolean | null => (text === 'true' ? true : text === 'false' ? false : null);
const numberOf = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

const explanation = (): string =>
  `Use <limit>=<number>, <flag>=true or false, deployments.<tier>=<number> or ${TERMS}=true. <name>= removes an override.\n` +
  `Limits: ${LIMITS.join(', ')}\nFlags: ${FEATURE_FLAGS.join(', ')}\nTiers: ${TIERS.join(', ')}`;
