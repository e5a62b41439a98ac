import { loadCatalog, MANAGED_TIERS, TIERS } from '@libs/catalog';
import { DomainError } from '@libs/domain';
import type { DeploymentRow } from '@libs/persistence/organization';
import fc from 'fast-check';
import type { UpgradeDto } from '../dto/upgrade.dto.js';
import { previewUpgrade } from '../create/preview.js';
import { planUpgrade } from './upgrade-rules.js';

const catalog = loadCatalog(undefined);

const deployment = (more: Partial<DeploymentRow> = {}): DeploymentRow =>
  ({
    variant: 'managed',
    cloud: 'aws',
    region: 'us-east-1',
    tier: 'medium',
    cluster: 'cluster',
    managed_tier: 'performance',
    storage_type: 'network_balanced',
    storage_size: 200,
    target_network_tput: 12_000,
    network_scope: 'same_region',
    availability_mode: 'single_az',
    nodes_count: 5,
    monthly_compute: '100.00',
    monthly_storage: '20.00',
    ...more,
  }) as DeploymentRow;

const refusal = (row: DeploymentRow, dto: UpgradeDto): [string, string[]] => {
  try {
    planUpgrade(catalog, row, dto);
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.fieldIssues.map(({ path }) => path)];
    throw error;
  }
  return ['allowed', []];
};

describe('An upgrade', () => {
  it.each([
    ['a larger compute size', { tier: 'large' }, true],
    ['larger storage', { storage: { size: 201 } }, true],
    ['a higher managed tier', { managed_tier: 'enterprise' }, false],
    ['all of them', { tier: 'xlarge', storage: { size: 500 }, managed_tier: 'enterprise' }, true],
    ['a larger size, the rest as it is', { tier: 'large', storage: { size: 200 }, managed_tier: 'performance' }, true],
  ] as [string, UpgradeDto, boolean][])('can request %s', (_, dto, isHardware) => {
    expect(planUpgrade(catalog, deployment(), dto).isHardware).toBe(isHardware);
  });

  it.each([
    ['nothing', {}, 'validation_failed', ['']],
    ['what it has', { tier: 'medium', storage: {} }, 'validation_failed', ['']],
    ['a smaller size', { tier: 'small' }, 'downgrade_not_allowed', ['/tier']],
    ['lower terms', { managed_tier: 'standard' }, 'downgrade_not_allowed', ['/managed_tier']],
    ['both lower', { tier: 'small', managed_tier: 'standard' }, 'downgrade_not_allowed', ['/tier', '/managed_tier']],
    ['less storage', { tier: 'large', storage: { size: 199 } }, 'storage_cannot_shrink', ['/storage/size']],
    ['another storage', { storage: { type: 'local_ssd' } }, 'validation_failed', ['/storage/type']],
  ] as [string, UpgradeDto, string, string[]][])('is refused for %s', (_, dto, code, paths) => {
    expect(refusal(deployment(), dto)).toEqual([code, paths]);
  });

  it('keeps Local NVMe unchanged, except for its terms', () => {
    const local = deployment({ storage_type: 'local_ssd', storage_size: 237 });

    expect(refusal(local, { tier: 'large' })).toEqual(['tier_feature_unsupported', ['/tier']]);
    expect(refusal(local, { storage: { size: 300 } })).toEqual(['tier_feature_unsupported', ['/storage/size']]);
    expect(refusal(local, { managed_tier: 'enterprise' })).toEqual(['allowed', []]);
  });

  it("is refused for Free deployments, and a change of terms for those in the customer's account", () => {
    // For every variant: a Free deployment that grew would be a paid one without terms and without a price.
    const free = { tier: 'free', cluster: 'standalone', managedTier: null, storageSize: 100 };
    for (const variant of ['starter', 'managed', 'byoc'] as const)
      for (const dto of [{ tier: 'small' }, { storage: { size: 200 } }, { managed_tier: 'standard' }] as UpgradeDto[])
        expect(refusal(deployment({ ...free, variant }), dto)).toEqual(['tier_feature_unsupported', ['/tier']]);
    const byoc = deployment({ variant: 'byoc', managed_tier: null });
    expect(refusal(byoc, { managed_tier: 'enterprise' })).toEqual(['validation_failed', ['/managed_tier']]);
    expect(refusal(byoc, { tier: 'large' })).toEqual(['allowed', []]);
  });

  it('never makes anything smaller, for any request', () => {
    const shapes = fc.record({
      tier: fc.constantFrom(...TIERS.slice(1)),
      managedTier: fc.constantFrom(...MANAGED_TIERS),
      storageSize: fc.integer({ min: 100, max: 30_000 }),
    });
    const dtos = fc.record(
      {
        tier: fc.constantFrom(...TIERS),
        managed_tier: fc.constantFrom(...MANAGED_TIERS),
        storage: fc.record({ size: fc.integer({ min: 100, max: 30_000 }) }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(shapes, dtos, (now, dto) => {
        const row = deployment(now);
        if (refusal(row, dto)[0] !== 'allowed') return;
        const { from, to, quote } = planUpgrade(catalog, row, dto);
        expect(TIERS.indexOf(to.tier)).toBeGreaterThanOrEqual(TIERS.indexOf(from.tier));
        expect(to.storage.size).toBeGreaterThanOrEqual(from.storage.size);
        expect(MANAGED_TIERS.indexOf(to.managedTier as 'standard')).toBeGreaterThanOrEqual(
          MANAGED_TIERS.indexOf(from.managedTier as 'standard'),
        );
        expect([quote.nodes, to.storage.type, to.region]).toEqual([row.nodes_count, from.storage.type, from.region]);
        expect(JSON.stringify(to)).not.toBe(JSON.stringify(from));
      }),
      { numRuns: 2000 },
    );
  });

  it('previews the price of the existing nodes, and the difference to the current price', () => {
    const view = previewUpgrade(catalog, deployment(), { tier: 'large' });

    expect(view).toMatchObject({ tier: 'large', nodes: 5, changes_hardware: true });
    expect(view.difference.monthly_base_usd).toBeCloseTo(view.monthly_base_usd - 120, 2);
    expect(view.difference.monthly_total_usd).toBe(view.difference.monthly_base_usd);
  });
});
