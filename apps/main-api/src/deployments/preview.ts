import { capacity, quote, type Catalog } from '@libs/catalog';
import type { PreviewView } from './dto/preview.view.js';
import type { ShapeDto } from './dto/shape.dto.js';
import { judgeShape, requireNoIssues } from './shape-rules.js';

/**
 * What a shape would be and cost; creates nothing (fills 5).
 * @throws DomainError validation_failed, tier_feature_unsupported
 */
export function preview(catalog: Catalog, dto: ShapeDto): PreviewView {
  const { shape, issues } = judgeShape(catalog, dto);
  requireNoIssues(issues);
  const price = quote(catalog, shape);
  return {
    cloud: shape.cloud,
    region: shape.region,
    tier: shape.tier,
    nodes: price.nodes,
    compute_profile_id: `${shape.cloud}.${shape.tier}.${shape.storage.type}`,
    included_telemetry_days: catalog.telemetryDays(shape.managedTier),
    pricing_version: catalog.version,
    monthly_base_usd: price.monthlyBaseUsd.toNumber(),
    monthly_total_usd: price.monthlyTotalUsd.toNumber(),
    breakdown: {
      compute_usd: price.computeUsd.toNumber(),
      storage_usd: price.storageUsd.toNumber(),
      network_usd: price.networkUsd.toNumber(),
    },
    capacity: capacity(catalog, shape.tier),
  };
}
