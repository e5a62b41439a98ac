import { Injectable } from '@nestjs/common';
import { apiKeyId, hashApiKey, isSameHash } from '@libs/domain';
import { CallerStore, type Addressed, type Ancestry, type ResolvedCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { CallersRepository, type CallerRow } from '@libs/persistence/platform';
import { ApiKeyUses } from './api-key-uses.js';

/** Callers from PostgreSQL: one statement a request, nothing cached. */
@Injectable()
export class AccessCallerStore extends CallerStore {
  private readonly callers: CallersRepository;

  constructor(
    database: Database,
    private readonly uses: ApiKeyUses,
  ) {
    super();
    this.callers = new CallersRepository(database);
  }

  async resolve(secret: string, addressed: Addressed): Promise<ResolvedCaller | null> {
    const row = await this.callers.resolve(apiKeyId(secret) ?? 0, {
      divisionId: addressed.divisionId ?? null,
      environmentId: addressed.environmentId ?? null,
      deploymentId: addressed.deploymentId ?? null,
    });
    // A removed or deactivated member's keys stop with the member.
    if (!row || !row.is_active || !isSecretOf(row, hashApiKey(secret))) return null;
    this.uses.note(row.id);
    return {
      caller: {
        key: { id: row.id, name: row.name },
        user: { id: row.user_id, name: row.user_name },
        tenant: { id: row.tenant_id, name: row.tenant_name },
        role: { id: row.role_id, name: row.role_name },
        holding: { trees: [row.permissions], divisionScope: row.division_scope },
      },
      ancestry: ancestryOf(row),
      isExpired: row.is_expired,
      allowedIps: row.validate_ip ? row.allowed_ips : null,
    };
  }
}

/** Its secret, or while a rotation overlaps the one before; both are always compared, so that time tells nothing. */
function isSecretOf(row: CallerRow, hash: Buffer): boolean {
  const isCurrent = isSameHash(row.secret_hash, hash);
  const isPrevious = isSameHash(row.previous_secret_hash ?? Buffer.alloc(hash.length), hash);
  return isCurrent || isPrevious;
}

/** Only levels that belong together count: a deployment of another environment than the path names does not exist. */
function ancestryOf(row: CallerRow): Ancestry {
  const division = row.division_id === null ? null : { id: row.division_id, name: row.division_name ?? '' };
  const hasEnvironment = row.environment_id !== null && row.environment_division_id === division?.id;
  const environment = hasEnvironment ? { id: row.environment_id as number, name: row.environment_name ?? '' } : null;
  const hasDeployment = row.deployment_id !== null && row.deployment_environment_id === environment?.id;
  return { division, environment, deployment: hasDeployment ? deploymentOf(row) : null };
}

const deploymentOf = (row: CallerRow): Ancestry['deployment'] => ({
  id: row.deployment_id as number,
  name: row.deployment_name ?? '',
  cell: row.cell ?? '',
  supervisorUrl: row.supervisor_url,
});
