import { randomInt } from 'node:crypto';
import type { Catalog } from '@libs/catalog';
import type { CreateStarterDto } from '../dto/create-starter.dto.js';
import { plainOrder, type DeploymentOrder } from './managed-rules.js';
import { issue, judgeShape, requireNoIssues, type JudgedShape } from './shape-rules.js';

/** Creates the order of a Free deployment (C-12.11). @throws DomainError validation_failed, tier_feature_unsupported */
export function orderStarter(catalog: Catalog, dto: CreateStarterDto): DeploymentOrder {
  const { shape, issues } = judgeStarter(catalog, dto);
  requireNoIssues(issues);
  const name = dto.deployment_name ?? `starter-${randomInt(36 ** 5, 36 ** 6).toString(36)}`;
  return plainOrder(catalog, shape, { name, variant: 'starter' });
}

/** Returns the shape of a well-formed order, and every fault of the order. */
export function judgeStarter(catalog: Catalog, dto: CreateStarterDto): JudgedShape {
  const { shape, issues } = judgeShape(catalog, { cloud: dto.cloud, region: dto.region, tier: 'free' });
  const isTwofold = dto.environment_id !== undefined && dto.environment_name !== undefined;
  if (isTwofold) issues.push(issue('/environment_name', 'exclusive', 'send either environment_id or environment_name'));
  return { shape, issues };
}
