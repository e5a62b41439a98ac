import { Injectable } from '@nestjs/common';
import { DomainError, type TenantId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { AuditSealsRepository, type SealCheck } from '@libs/persistence/ledger';
import type { AuditBreakView, AuditVerificationView, BreakReason } from './dto/audit-verification.view.js';
import type { VerificationQuery } from './dto/verification.query.js';

const NO_HASH = '0'.repeat(64);
/** A verification can hash for minutes in a tenant with tens of millions of entries. */
const BUSY_SECONDS = 5;

/** Verifies that the audit equals its sealed state, or returns the first difference. */
@Injectable()
export class AuditVerifier {
  constructor(
    private readonly database: Database,
    private readonly seals: AuditSealsRepository,
  ) {}

  /**
   * Checks all seals and entries of the tenant. This is the only read with its own transaction: it must read one moment
   * while other transactions seal and write.
   * @throws DomainError insufficient_permissions for a key of one division, rate_limited while another verification
   * runs
   */
  async verify(actor: ActingCaller, query: VerificationQuery): Promise<AuditVerificationView> {
    requireWholeTenant(actor);
    return this.database.transaction(async () => {
      if (!(await this.seals.beginVerification(actor.tenantId)))
        throw new DomainError('rate_limited', 'Another verification of this audit is running.', {
          retryAfterSeconds: BUSY_SECONDS,
        });
      return this.report(actor.tenantId, query);
    });
  }

  private async report(tenantId: TenantId, query: VerificationQuery): Promise<AuditVerificationView> {
    const last = await this.seals.last(tenantId);
    const fault = (await this.brokenSeal(tenantId, query)) ?? (await this.unknownEntry(tenantId, last?.sequence ?? 0));
    return {
      valid: fault === null,
      sealed_up_to: last?.sequence ?? 0,
      sealed_at: last?.sealed_at.toISOString() ?? null,
      seal_hash: last?.hash ?? null,
      unsealed: await this.seals.countWaiting(tenantId),
      ...(fault && { first_break: fault }),
    };
  }

  private async brokenSeal(tenantId: TenantId, query: VerificationQuery): Promise<AuditBreakView | null> {
    let previous = { sequence: 0, hash: NO_HASH };
    for (;;) {
      const window = await this.seals.window(tenantId, previous.sequence);
      for (const seal of window) {
        const reason = judge(seal, previous, query);
        if (reason) return { sequence: previous.sequence + 1, reason };
        previous = seal;
      }
      if (window.length > 0) continue;
      const isBeyond = query.sequence !== undefined && query.sequence > previous.sequence;
      return isBeyond ? { sequence: query.sequence as number, reason: 'seal_differs' } : null;
    }
  }

  private async unknownEntry(tenantId: TenantId, lastSequence: number): Promise<AuditBreakView | null> {
    const sequence = await this.seals.firstUnknown(tenantId, lastSequence);
    return sequence === null ? null : { sequence, reason: 'entry_unknown' };
  }
}

/** Returns the fault of a seal that follows `previous`, or null. */
function judge(
  seal: SealCheck,
  previous: { sequence: number; hash: string },
  query: VerificationQuery,
): BreakReason | null {
  if (seal.sequence !== previous.sequence + 1) return 'seal_missing';
  if (!seal.is_own) return 'seal_changed';
  if (seal.previous_hash !== previous.hash) return 'chain_broken';
  if (seal.sequence === query.sequence && seal.hash !== query.hash?.toLowerCase()) return 'seal_differs';
  if (seal.is_dropped && seal.found === 0) return null;
  if (seal.found < seal.count) return 'entries_missing';
  if (seal.found > seal.count) return 'entries_added';
  return seal.is_root ? null : 'entries_changed';
}

/** The chain covers all divisions, and a caller of one division may not learn about the others. */
function requireWholeTenant({ caller, tenantId }: ActingCaller): void {
  if (caller.holding.divisionScope === null) return;
  throw new DomainError(
    'insufficient_permissions',
    'Only the whole audit can be verified: use a key that is not limited to a division.',
    {
      members: { permission: 'audit:read', scope: { tenant_id: tenantId, division_id: null } },
    },
  );
}
