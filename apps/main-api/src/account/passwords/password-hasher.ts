import { DomainError, hashPassword, PASSWORD_COST, verifyPassword, type PasswordVerdict } from '@libs/domain';

/** Each hash uses a core and 32 MiB. Two leave enough for the rest of the process. */
const AT_ONCE = 2;
const RETRY_SECONDS = 5;

export interface QueueLimits {
  /** For all networks together. */
  longestQueue: number;
  ofOneNetwork: number;
}

const LIMITS: QueueLimits = { longestQueue: 100, ofOneNetwork: 5 };

interface Waiter {
  begin(): void;
  refuse(error: DomainError): void;
}

/**
 * Hashes all passwords of the process, at most two at once, so that many sign-ins do not overload the machine. Networks
 * of clients are served one after the other, and each may have few waiting requests. So one address cannot block the
 * sign-in of all others.
 */
export class PasswordHasher {
  private running = 0;
  /** Waiting requests by network. The first network is served next. */
  private readonly waiting = new Map<string, Waiter[]>();

  constructor(
    private readonly limits: QueueLimits = LIMITS,
    private readonly cost = PASSWORD_COST,
  ) {}

  /** @throws DomainError service_busy */
  async hash(password: string, network: string): Promise<string> {
    return this.inTurn(network, () => hashPassword(password, this.cost));
  }

  /** Takes the same time without a stored hash. @throws DomainError service_busy */
  async verify(password: string, stored: string | null, network: string): Promise<PasswordVerdict> {
    return this.inTurn(network, () => verifyPassword(password, stored, this.cost));
  }

  private async inTurn<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (this.running < AT_ONCE) this.running += 1;
    else await this.turn(network);
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  /**
   * Passes the free place directly to the next network, so that no new request takes it. A network with more requests
   * moves to the end.
   */
  private handOn(): void {
    const [next] = this.waiting;
    if (!next) {
      this.running -= 1;
      return;
    }
    const [network, [first, ...others]] = next;
    this.waiting.delete(network);
    if (others.length > 0) this.waiting.set(network, others);
    first?.begin();
  }

  private turn(network: string): Promise<void> {
    const queue = this.waiting.get(network) ?? [];
    if (queue.length >= this.limits.ofOneNetwork || !this.ensureSlot()) throw busy();
    return new Promise((begin, refuse) => this.waiting.set(network, [...queue, { begin, refuse }]));
  }

  /** Returns whether the queue has a free slot. In a full queue the network with the most waiting requests loses its last one. */
  private ensureSlot(): boolean {
    const queues = [...this.waiting.entries()].sort(([, one], [, other]) => other.length - one.length);
    const length = queues.reduce((sum, [, queue]) => sum + queue.length, 0);
    if (length < this.limits.longestQueue) return true;
    const [longest] = queues;
    if (!longest || longest[1].length < 2) return false;
    longest[1].pop()?.refuse(busy());
    return true;
  }
}

const busy = (): DomainError =>
  new DomainError('service_busy', 'Too many users sign in at the same time.', { retryAfterSeconds: RETRY_SECONDS });
