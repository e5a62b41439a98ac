import { randomInt } from 'node:crypto';
import { quote, type Catalog } from '@libs/catalog';
import type { FieldIssue } from '@libs/domain';
import type { CreateStarterDto } from '../dto/create-starter.dto.js';
import { areaOf, type DeploymentOrder } from './managed-rules.js';
import { completeShape, issue, judgeShape, requireNoIssues } from './shape-rules.js';

/** Creates the order of a Free deployment (C-12.11). @throws DomainError validation_failed, tier_feature_unsupported */
export function orderStarter(catalog: Catalog, dto: CreateStarterDto): DeploymentOrder {
  requireNoIssues(starterIssues(catalog, dto));
  const shape = completeShape(catalog, { cloud: dto.cloud, region: dto.region, tier: 'free' });
  return {
    name: dto.deployment_name ?? `starter-${randomInt(36 ** 5, 36 ** 6).toString(36)}`,
    variant: 'starter',
    area: areaOf(catalog, shape),
    shape,
    quote: quote(catalog, shape),
    isProtected: false,
    isEncrypted: false,
    hasPublicIp: true,
    hasSubdomain: true,
    isDedicated: false,
    telemetryDays: catalog.telemetryDays(null),
    isTelemetryExplicit: false,
    spendLimit: null,
    cloudAccountId: null,
  };
}

/** Returns every fault of a well-formed order. */
export function starterIssues(catalog: Catalog, dto: CreateStarterDto): FieldIssue[] {
  const isTwofold = dto.environment_id !== undefined && dto.environment_name !== undefined;
  const { issues } = judgeShape(catalog, { cloud: dto.cloud, region: dto.region, tier: 'free' });
  return isTwofold
    ? [...issues, issue('/environment_name', 'exclusive', 'send either environment_id or environment_name')]
    : issues;
}
