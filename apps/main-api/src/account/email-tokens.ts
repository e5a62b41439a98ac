import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, type UserId } from '@libs/domain';
import { EmailTokensRepository, type EmailTokenPurpose } from '@libs/persistence/organization';

const VALID_SECONDS: Record<EmailTokenPurpose, number> = { verify: 24 * 3600, reset: 30 * 60 };
const PAUSE_SECONDS = 60;
const TOKEN_BYTES = 32;

/** A new token, or the seconds to wait because the last token is too recent. */
export type Issued = { token: string; expiresAt: Date } | { waitSeconds: number };

/** The one-time tokens of mailed links. The database stores only their hashes. */
@Injectable()
export class EmailTokens {
  constructor(private readonly tokens: EmailTokensRepository) {}

  /** Replaces the user's last token for the purpose, at most once a minute. So requests cannot flood a mailbox. */
  async issue(userId: UserId, purpose: EmailTokenPurpose): Promise<Issued> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const terms = { validSeconds: VALID_SECONDS[purpose], pauseSeconds: PAUSE_SECONDS };
    const issued = await this.tokens.issue({ userId, purpose, tokenHash: hashEmailToken(token), ...terms });
    return 'expiresAt' in issued ? { token, ...issued } : issued;
  }

  /** Returns the user of the token. @throws DomainError email_token_invalid */
  async userOf(purpose: EmailTokenPurpose, token: string): Promise<number> {
    return found(await this.tokens.find(purpose, hashEmailToken(token)));
  }

  /** Uses the token up and returns its user. @throws DomainError email_token_invalid */
  async use(purpose: EmailTokenPurpose, token: string): Promise<number> {
    return found(await this.tokens.use(purpose, hashEmailToken(token)));
  }

  /** Invalidates all mailed links of the user. */
  async removeAll(userId: UserId): Promise<void> {
    await this.tokens.removeAll(userId);
  }
}

/** Users may copy a token with a blank from its line. */
export const hashEmailToken = (token: string): Buffer => createHash('sha256').update(token.trim()).digest();

/** The error is the same for every fault of the token. */
function found(userId: UserId | null): number {
  if (userId === null)
    throw new DomainError('email_token_invalid', 'The link is wrong, has expired or was used before.');
  return userId;
}
