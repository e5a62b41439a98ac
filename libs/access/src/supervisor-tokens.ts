import { Injectable } from '@nestjs/common';
import { claimText, readSupervisorToken, writeSupervisorToken, type SupervisorClaim } from '@libs/domain';
import { Secrets } from '@libs/persistence';

const PURPOSE = 'supervisor_token';

/** Signs and checks the tokens with which the console calls a Supervisor (C-5.14). */
@Injectable()
export class SupervisorTokens {
  constructor(private readonly secrets: Secrets) {}

  sign(claim: SupervisorClaim): string {
    const text = claimText(claim);
    return writeSupervisorToken(text, this.secrets.prove(PURPOSE, text));
  }

  /** Returns the claim of an unexpired token that this installation signed for the cell. Otherwise null. */
  open(token: string, cell: string, nowMs = Date.now()): SupervisorClaim | null {
    const parts = readSupervisorToken(token);
    if (!parts || !this.secrets.isProof(PURPOSE, parts.text, parts.proof)) return null;
    const { claim } = parts;
    return claim.cell === cell && claim.expiresAt * 1000 > nowMs ? claim : null;
  }
}
