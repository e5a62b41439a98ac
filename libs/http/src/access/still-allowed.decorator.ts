import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { factsOf } from '../request-facts.js';

/** Runs the checks of the guard again, as for a request at this time. @throws DomainError when the guard refuses */
export type StillAllowed = () => Promise<void>;

/** For streams: a stream can stay open after its caller loses the permission. */
export const Recheck = createParamDecorator((_: unknown, context: ExecutionContext): StillAllowed => {
  return factsOf(context.switchToHttp().getRequest<Request>()).recheck;
});
