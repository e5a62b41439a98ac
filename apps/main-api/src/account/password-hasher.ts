import { DomainError, hashPassword, verifyPassword, type PasswordVerdict } from '@libs/domain';

/** Each takes a core and 32 MiB: two leave the rest of the process its air. */
const AT_ONCE = 2;
const LONGEST_QUEUE = 100;
const RETRY_SECONDS = 5;

/** The one way to hash passwords, in turn, so that a crowd at sign-in does not take the machine. */
export class PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly longestQueue = LONGEST_QUEUE) {}

  /** @throws DomainError service_busy */
  async hash(password: string): Promise<string> {
    return this.inTurn(() => hashPassword(password));
  }

  /** Takes as long without a stored hash. @throws DomainError service_busy */
  async verify(password: string, stored: string | null): Promise<PasswordVerdict> {
    return this.inTurn(() => verifyPassword(password, stored));
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < AT_ONCE) this.running += 1;
    else await this.turn();
    try {
      return await work();
    } finally {
      // The turn is handed on, so nobody slips in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= this.longestQueue)
      throw new DomainError('service_busy', 'Too many people sign in at once.', { retryAfterSeconds: RETRY_SECONDS });
    return new Promise((begin) => this.waiting.push(begin));
  }
}
