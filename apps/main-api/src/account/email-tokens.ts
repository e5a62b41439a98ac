import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Database } from '@libs/persistence';
import { EmailTokensRepository, type EmailTokenPurpose } from '@libs/persistence/organization';

const VALID_SECONDS: Record<EmailTokenPurpose, number> = { verify: 24 * 3600, reset: 30 * 60 };
const PAUSE_SECONDS = 60;
const TOKEN_BYTES = 32;

/** A token that is on its way, or the seconds to wait because the last one has only just left. */
export type Issued = { token: string; expiresAt: Date } | { waitSeconds: number };

/** The one-time tokens of mailed links; only their hashes are kept. */
@Injectable()
export class EmailTokens {
  private readonly tokens: EmailTokensRepository;

  constructor(database: Database) {
    this.tokens = new EmailTokensRepository(database);
  }

  /** Replaces the user's last one of the purpose, but not within a minute: nobody's mailbox is flooded. */
  async issue(userId: number, purpose: EmailTokenPurpose): Promise<Issued> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const terms = { validSeconds: VALID_SECONDS[purpose], pauseSeconds: PAUSE_SECONDS };
    const issued = await this.tokens.issue({ userId, purpose, tokenHash: hash(token), ...terms });
    return 'expiresAt' in issued ? { token, ...issued } : issued;
  }

  /** Whose it is. @throws DomainError email_token_invalid */
  async userOf(purpose: EmailTokenPurpose, token: string): Promise<number> {
    return found(await this.tokens.find(purpose, hash(token)));
  }

  /** Uses it up; whose it was. @throws DomainError email_token_invalid */
  async use(purpose: EmailTokenPurpose, token: string): Promise<number> {
    return found(await this.tokens.use(purpose, hash(token)));
  }

  /** None of the user's links opens anything any more. */
  async removeAll(userId: number): Promise<void> {
    await this.tokens.removeAll(userId);
  }
}

/** People copy a token from its line, with a blank. */
const hash = (token: string): Buffer => createHash('sha256').update(token.trim()).digest();

/** One answer, whatever is wrong with it. */
function found(userId: number | null): number {
  if (userId === null)
    throw new DomainError('email_token_invalid', 'The link is wrong, has expired or was used before.');
  return userId;
}
