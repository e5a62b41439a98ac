import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { networkOf } from '@libs/domain/admission';
import type { Response } from 'express';
import { RateStore, type RateKind, type RateVerdict, type ResolvedCaller } from '../ports.js';
import { callerName } from './caller-name.js';

/**
 * Enforces the rate of each caller. A key or user counts from every address together. A request without valid
 * credentials counts by address, so that guessing is slow. Every answer contains the remaining rate.
 */
@Injectable()
export class RateGate {
  constructor(private readonly rates: RateStore) {}

  /** @throws DomainError rate_limited */
  async pass(resolved: ResolvedCaller | null, address: string, response: Response): Promise<void> {
    await this.take(resolved ? callerName(resolved.caller) : `address:${networkOf(address)}`, 'request', response);
  }

  /**
   * For public routes that hash a password: they also count against a second rate by address.
   * @throws DomainError rate_limited
   */
  async passPassword(address: string, response: Response): Promise<void> {
    await this.take(`password:${networkOf(address)}`, 'password', response);
  }

  private async take(subject: string, kind: RateKind, response: Response): Promise<void> {
    const verdict = await this.rates.take(subject, kind);
    if (!verdict) return;
    tell(response, verdict);
    if (verdict.isAllowed) return;
    const { limit, windowSeconds, resetSeconds } = verdict;
    throw new DomainError('rate_limited', `At most ${limit} requests in ${windowSeconds} seconds.`, {
      retryAfterSeconds: resetSeconds,
    });
  }
}

function tell(response: Response, { limit, windowSeconds, remaining, resetSeconds }: RateVerdict): void {
  response.setHeader('ratelimit-limit', String(limit));
  response.setHeader('ratelimit-remaining', String(remaining));
  response.setHeader('ratelimit-reset', String(resetSeconds));
  response.setHeader('ratelimit-policy', `${limit};w=${windowSeconds}`);
}
