import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import type { ConnectionAdmission } from '@libs/domain/admission';
import type { Request, Response } from 'express';

/** The statuses of callers whose connection may be one of a flood. */
const REFUSALS = [400, 401, 408, 413, 429];

/** The connections of the listener of this app. */
@Injectable()
export class Connections {
  /** Set before the app listens. */
  admission: ConnectionAdmission | null = null;

  /** The guard has admitted the caller. Its connection leaves those before sign-in. Throws `rate_limited` without a place for it. */
  know(request: Request, caller: string): void {
    if (!this.admission || this.admission.know(request.socket, caller)) return;
    throw new DomainError('rate_limited', `A caller may have ${this.admission.limits.ofCaller} requests at once.`, {
      retryAfterSeconds: 1,
    });
  }

  /** Closes the connection after a refusal, unless a caller has signed in on it or a proxy uses it for others. */
  closeAfter(status: number, request: Request, response: Response): void {
    const { socket } = request;
    if (!this.admission || !REFUSALS.includes(status)) return;
    if (!this.admission.isKnown(socket) && !this.admission.isOfProxy(socket)) response.setHeader('connection', 'close');
  }
}
