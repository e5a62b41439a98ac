import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalMailbox, DomainError } from '@libs/domain';
import { networkOf } from '@libs/domain/admission';
import { SignInLocksRepository, UsersRepository, type User } from '@libs/persistence/organization';
import { AccountLog } from '../account-log.js';
import type { ClientFacts } from '../client.decorator.js';
import { PasswordHasher } from './password-hasher.js';

/** A checked password whose attempt is not counted yet. */
export interface Attempt {
  subject: string;
  /** Null when no account has the address. */
  user: User | null;
  isRight: boolean;
  /** The hash of the same password with the current cost, if the stored hash has another cost. */
  newHash: string | null;
  traceId: string;
}

/**
 * Checks a password in two halves: `look` is slow and needs no transaction, `judge` counts the attempt in a
 * transaction. Answer and duration are the same for a wrong password and for an address without an account.
 */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly locks: SignInLocksRepository,
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly log: AccountLog,
  ) {}

  /** @throws DomainError rate_limited, service_busy */
  async look(email: string, password: string, { address, traceId }: ClientFacts): Promise<Attempt> {
    const network = networkOf(address);
    const subject = subjectOf(email, network);
    requireUnlocked(await this.locks.look(subject));
    const user = await this.users.findByEmail(email);
    const { isRight, isOutdated } = await this.hasher.verify(password, user?.passwordHash ?? null, network);
    const newHash = isOutdated ? await this.hasher.hash(password, network) : null;
    return { subject, user, isRight, newHash, traceId };
  }

  /**
   * Returns the user, locked until the transaction ends. Parallel attempts come here one after another. After the
   * limit, all further attempts are refused, with right and wrong passwords. Must be called before any other write.
   * @throws DomainError rate_limited, invalid_credentials
   */
  async judge({ subject, user, isRight, newHash, traceId }: Attempt): Promise<User> {
    requireUnlocked(await this.locks.lock(subject));
    const lockedUser = user && isRight ? await this.users.findForUpdate(user.id) : null;
    // The password may have changed since the check.
    if (!lockedUser || lockedUser.passwordStamp !== user?.passwordStamp) {
      await this.locks.fail(subject);
      this.log.tell('wrong e-mail or password', user?.id ?? null, { traceId });
      throw new DomainError('invalid_credentials', 'E-mail or password is wrong.', { keepsWrites: true });
    }
    await this.locks.clear(subject);
    if (newHash !== null) await this.users.rehash(lockedUser.id, newHash);
    return lockedUser;
  }
}

/** Failures count by e-mail address and network. The row contains neither of them. */
const subjectOf = (email: string, network: string): string =>
  createHash('sha256')
    .update(`${canonicalMailbox(email)}\0${network}`)
    .digest('base64url');

function requireUnlocked(seconds: number): void {
  if (seconds <= 0) return;
  throw new DomainError('rate_limited', 'Too many wrong passwords. Wait before you try again.', {
    retryAfterSeconds: Math.ceil(seconds),
  });
}
