import { Injectable } from '@nestjs/common';
import type { SupervisorClaim } from '@libs/domain';
import { TokenStore, type Addressed, type ResolvedCaller } from '@libs/http';
import { SessionCallersRepository, type SessionRow } from '@libs/persistence/platform';
import { ancestryOf, rowsOf } from './ancestry.js';
import { SupervisorTokens } from './supervisor-tokens.js';

/** The cell whose tokens this process accepts. */
export abstract class TokenAudience {
  abstract readonly cell: string;
}

/**
 * The tokens of signed-in users at a Supervisor. One statement asks whether the session still lives, whether the user is still a
 * member, and what the user holds now.
 */
@Injectable()
export class SupervisorTokenStore extends TokenStore {
  constructor(
    private readonly sessions: SessionCallersRepository,
    private readonly tokens: SupervisorTokens,
    private readonly audience: TokenAudience,
  ) {
    super();
  }

  async resolve(token: string, addressed: Addressed): Promise<ResolvedCaller | null> {
    const claim = this.tokens.open(token, this.audience.cell);
    if (!claim) return null;
    const row = await this.sessions.resolve(claim.sessionId, claim.tenantId, rowsOf(addressed));
    if (!row || !stillHolds(row, claim)) return null;
    return {
      caller: {
        key: null,
        session: null,
        user: { id: row.user_id, name: row.user_name },
        isVerified: row.is_verified,
        tenant: { id: claim.tenantId, name: row.tenant_name ?? '' },
        holding: { trees: row.trees, divisionScope: row.division_scope },
      },
      ancestry: ancestryOf(row),
      isExpired: false,
      allowedIps: null,
      // No route of a Supervisor asks for the row.
      deploymentRow: null,
    };
  }
}

/** Whether the session is that of the user, the user is an active member of the tenant, and the password is the same. */
const stillHolds = (row: SessionRow, { userId, tenantId, passwordStamp }: SupervisorClaim): boolean =>
  row.user_id === userId && row.tenant_id === tenantId && row.password_stamp === passwordStamp;
