import { Injectable } from '@nestjs/common';
import { apiKeyId, hashApiKey, isSameHash, narrowScope, type ApiKeyId, type Holding } from '@libs/domain';
import { CallerStore, type Addressed, type AlsoRead, type ResolvedCaller } from '@libs/http';
import { CallersRepository, type AddressedRows, type CallerRow, type WithDeployment } from '@libs/persistence/platform';
import { ancestryOf, rowsOf } from './ancestry.js';
import { ApiKeyUses } from './api-key-uses.js';
import { SharedTrees } from './shared-trees.js';

/** Callers from PostgreSQL: one statement per request, without a cache. */
@Injectable()
export class AccessCallerStore extends CallerStore {
  private readonly shared = new SharedTrees();

  constructor(
    private readonly callers: CallersRepository,
    private readonly uses: ApiKeyUses,
  ) {
    super();
  }

  async resolve(secret: string, addressed: Addressed, also: AlsoRead): Promise<ResolvedCaller | null> {
    const row = await this.find(apiKeyId(secret) ?? 0, rowsOf(addressed), also);
    const secretHash = hashApiKey(secret);
    // Keys of a removed or inactive member stop working together with the member.
    if (!row || !row.is_active || !isSecretOf(row, secretHash)) return null;
    this.uses.note(row.id);
    return {
      caller: {
        key: { id: row.id, name: row.name },
        secretHash,
        session: null,
        user: { id: row.user_id, name: row.user_name },
        isVerified: row.is_verified,
        tenant: { id: row.tenant_id, name: row.tenant_name },
        holding: holdingOf(row, this.shared),
      },
      ancestry: ancestryOf(row),
      isExpired: row.is_expired,
      allowedIps: row.validate_ip ? row.allowed_ips : null,
      deploymentRow: row.deployment ?? null,
    };
  }

  private async find(
    id: ApiKeyId,
    rows: AddressedRows,
    also: AlsoRead,
  ): Promise<(CallerRow & Partial<WithDeployment>) | null> {
    return also.deployment ? this.callers.resolveWithDeployment(id, rows) : this.callers.resolve(id, rows);
  }
}

/** Never more than the owner's current permissions, per scope. So a demotion applies to every key of the member at once. */
const holdingOf = (row: CallerRow, shared: SharedTrees): Holding => ({
  trees: [shared.of(row.permissions, row.owner_trees)],
  divisionScope: narrowScope(row.division_scope, row.owner_scope),
});

/**
 * Compares the current secret, and the previous one during a rotation. Always compares both, so that the time reveals nothing.
 */
function isSecretOf(row: CallerRow, hash: Buffer): boolean {
  const isCurrent = isSameHash(row.secret_hash, hash);
  const isPrevious = isSameHash(row.previous_secret_hash ?? Buffer.alloc(hash.length), hash);
  return isCurrent || isPrevious;
}
