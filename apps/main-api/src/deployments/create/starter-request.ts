import { randomInt } from 'node:crypto';
import type { Catalog } from '@libs/catalog';
import type { CreateStarterDto } from '../dto/create-starter.dto.js';
import { plainRequest, type DeploymentRequest } from './managed-rules.js';
import { issue, validateShape, requireNoIssues, type ValidatedShape } from './shape-rules.js';

/** Creates the request for a Free deployment (C-12.11). @throws DomainError validation_failed, tier_feature_unsupported */
export function toStarterRequest(catalog: Catalog, dto: CreateStarterDto): DeploymentRequest {
  const { shape, issues } = validateStarter(catalog, dto);
  requireNoIssues(issues);
  const name = dto.deployment_name ?? `starter-${randomInt(36 ** 5, 36 ** 6).toString(36)}`;
  return plainRequest(catalog, shape, { name, variant: 'starter' });
}

/** Returns the shape of a well-formed request, and every fault of the request. */
export function validateStarter(catalog: Catalog, dto: CreateStarterDto): ValidatedShape {
  const { shape, issues } = validateShape(catalog, { cloud: dto.cloud, region: dto.region, tier: 'free' });
  const hasTwoEnvironments = dto.environment_id !== undefined && dto.environment_name !== undefined;
  if (hasTwoEnvironments)
    issues.push(issue('/environment_name', 'exclusive', 'send either environment_id or environment_name'));
  return { shape, issues };
}
