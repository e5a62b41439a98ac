import { DomainError } from '@libs/domain';
import { Entitlements, type PlanOverrides } from './entitlements.js';
import { loadCatalog } from './load-catalog.js';
import { requireBelowLimit, requireFeature, requireWithin } from './require-entitled.js';

const catalog = loadCatalog();
const basic = (overrides: PlanOverrides = {}): Entitlements => new Entitlements(catalog, 'basic', overrides);

/** The code and the members of the refusal, or null. */
function refusalOf(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (error) {
    const { code, members } = error as DomainError;
    return { code, ...members };
  }
}

describe('The entitlements of a tenant', () => {
  it('are the plan and its overrides', () => {
    const entitled = basic({ limits: { divisions_limit: 9 }, flags: { byoc_enabled: true } });

    expect([entitled.limit('divisions_limit'), entitled.limit('members_limit')]).toEqual([9, 3]);
    expect([entitled.has('byoc_enabled'), entitled.has('backup_enabled')]).toEqual([true, false]);
    expect([entitled.tierLimit('small'), entitled.tierLimit('large')]).toEqual([1, 0]);
  });

  it('raise a tier only above the number of the plan', () => {
    const entitled = basic({ deployment_tiers: { free: 0, small: 1, medium: 2, large: 1 } });
    const raised = (['free', 'small', 'medium', 'large', 'xlarge'] as const).filter((tier) =>
      entitled.isTierRaised(tier),
    );

    expect(raised).toEqual(['medium', 'large']);
    expect([entitled.tierLimit('free'), entitled.tierLimit('medium')]).toEqual([0, 2]);
  });

  it('include enterprise terms in the Enterprise plan or with an approval', () => {
    const terms = [
      new Entitlements(catalog, 'enterprise', {}),
      new Entitlements(catalog, 'pro', {}),
      basic({ enterprise_terms: true }),
      basic({ enterprise_terms: false }),
    ].map(({ hasEnterpriseTerms }) => hasEnterpriseTerms);

    expect(terms).toEqual([true, false, true, false]);
  });
});

describe('A limit of three members', () => {
  it('is reached with the third member', () => {
    const usages = [0, 2, 3, 4].map((usage) => refusalOf(() => requireBelowLimit(basic(), 'members_limit', usage)));

    const refused = { code: 'plan_limit_reached', limit_name: 'members_limit', limit: 3 };
    expect(usages).toEqual([
      null,
      null,
      { ...refused, usage: 3, requested: 1 },
      { ...refused, usage: 4, requested: 1 },
    ]);
  });

  it('allows to request up to three, and always none', () => {
    const none = basic({ limits: { members_limit: 0 } });

    expect([0, 3, 4].map((amount) => refusalOf(() => requireWithin(basic(), 'members_limit', amount)))).toMatchObject([
      null,
      null,
      { code: 'plan_limit_reached', usage: 0, requested: 4 },
    ]);
    expect([0, 1].map((amount) => refusalOf(() => requireWithin(none, 'members_limit', amount)))).toMatchObject([
      null,
      { code: 'plan_limit_reached', usage: 0, requested: 1 },
    ]);
  });
});

describe('A feature', () => {
  it('is refused to a plan without the feature', () => {
    expect(refusalOf(() => requireFeature(basic(), 'backup_enabled'))).toEqual({
      code: 'plan_feature_required',
      feature: 'backup_enabled',
    });
    expect(refusalOf(() => requireFeature(basic(), 'cluster_enabled'))).toBeNull();
  });
});
