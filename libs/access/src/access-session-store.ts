import { Injectable, Logger } from '@nestjs/common';
import { csrfOf, hashSession, isSameHash, sessionId, type SessionId } from '@libs/domain';
import { SessionStore, type Addressed, type AlsoRead, type ResolvedCaller } from '@libs/http';
import { SessionCallersRepository, type SessionRow, type WithDeployment } from '@libs/persistence/platform';
import { ancestryOf, rowsOf } from './ancestry.js';

/** Sessions from PostgreSQL: one statement per request, without a cache. */
@Injectable()
export class AccessSessionStore extends SessionStore {
  private readonly logger = new Logger('Sessions');

  constructor(private readonly sessions: SessionCallersRepository) {
    super();
  }

  async resolve(token: string, addressed: Addressed, also: AlsoRead): Promise<ResolvedCaller | null> {
    const values = [sessionId(token) ?? 0, addressed.tenantId ?? null, rowsOf(addressed)] as const;
    const row: (SessionRow & Partial<WithDeployment>) | null = await (also.deployment
      ? this.sessions.resolveWithDeployment(...values)
      : this.sessions.resolve(...values));
    if (!row || !isSameHash(row.token_hash, hashSession(token))) return null;
    if (row.is_stale) this.touch(row.id);
    const { id, email } = row;
    return {
      caller: {
        key: null,
        session: { id, email, csrfToken: csrfOf(token) },
        user: { id: row.user_id, name: row.user_name },
        isVerified: row.is_verified,
        tenant: row.tenant_id === null ? null : { id: row.tenant_id, name: row.tenant_name ?? '' },
        holding: { trees: row.trees, divisionScope: row.division_scope },
      },
      ancestry: ancestryOf(row),
      isExpired: false,
      allowedIps: null,
      deploymentRow: row.deployment ?? null,
    };
  }

  /** The request does not wait for this write. */
  private touch(id: SessionId): void {
    this.sessions.touch(id).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the use of a session could not be noted');
    });
  }
}
