import { capacity, quote, type Catalog, type Quote, type Shape } from '@libs/catalog';
import { Decimal } from 'decimal.js';
import type { DeploymentRow } from '@libs/persistence/organization';
import type { QuoteView, UpgradePreviewView } from '../dto/preview.view.js';
import type { ShapeDto } from '../dto/shape.dto.js';
import type { UpgradeDto } from '../dto/upgrade.dto.js';
import { plainRequest, type DeploymentRequest } from './managed-rules.js';
import { validateShape, requireNoIssues } from './shape-rules.js';
import { planUpgrade } from '../upgrade/upgrade-rules.js';

/**
 * Returns the request for a shape, which a preview shows without creating anything (C-11.7).
 * @throws DomainError validation_failed, tier_feature_unsupported
 */
export function toPreviewRequest(catalog: Catalog, dto: ShapeDto): DeploymentRequest {
  const { shape, issues } = validateShape(catalog, dto);
  requireNoIssues(issues);
  return plainRequest(catalog, shape, { name: '', variant: 'managed' });
}

/** Converts a valid shape with its price. */
export function toPreview(catalog: Catalog, shape: Shape, price: Quote): QuoteView {
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

/** Returns the deployment after an upgrade, and the difference to its current price. */
export function previewUpgrade(catalog: Catalog, row: DeploymentRow, dto: UpgradeDto): UpgradePreviewView {
  const plan = planUpgrade(catalog, row, dto);
  const now = new Decimal(row.monthly_compute).add(row.monthly_storage);
  const transfer = plan.quote.networkUsd.sub(quote(catalog, plan.from, row.nodes_count).networkUsd);
  const base = plan.quote.monthlyBaseUsd.sub(now);
  return {
    ...toPreview(catalog, plan.to, plan.quote),
    changes_hardware: plan.isHardware,
    difference: { monthly_base_usd: base.toNumber(), monthly_total_usd: base.add(transfer).toNumber() },
  };
}
