import { Deployment } from './deployment.entity.js';
import { Division } from './division.entity.js';
import { Environment } from './environment.entity.js';
import { Tenant } from './tenant.entity.js';

export * from './api-keys.repository.js';
export * from './cell-processes.repository.js';
export * from './cells.repository.js';
export * from './cloud-accounts.repository.js';
export * from './deployments.repository.js';
export * from './divisions.repository.js';
export * from './environments.repository.js';
export * from './mails.repository.js';
export * from './members.repository.js';
export * from './page-of.js';
export * from './roles.repository.js';
export * from './protection-codes.repository.js';
export * from './structure.repository.js';
export * from './tenants.repository.js';
export { Deployment, Division, Environment, Tenant };

export const ORGANIZATION_ENTITIES = [Tenant, Division, Environment, Deployment];
