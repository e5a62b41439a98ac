import { canBeBackedUp, DomainError } from '@libs/domain';
import type { DeploymentFacts } from '@libs/persistence/runtime';
import { requireDriverFeature } from '../platform/index.js';

/** @throws DomainError backup_not_supported, feature_unavailable */
export function requireBackups(facts: DeploymentFacts): void {
  if (canBeBackedUp(facts)) return requireDriverFeature(facts, 'backup');
  const { cloud, storage_type: storage } = facts;
  throw new DomainError(
    'backup_not_supported',
    `Backups need cloud aws and network storage. This deployment has cloud ${cloud} and storage ${storage}.`,
  );
}
