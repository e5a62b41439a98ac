import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { factsOf } from '../request-facts.js';

/** Asks the guard again, as if the request came now. @throws DomainError when it would be refused */
export type StillAllowed = () => Promise<void>;

/** For streams, which outlive the moment in which they were allowed. */
export const Recheck = createParamDecorator((_: unknown, context: ExecutionContext): StillAllowed => {
  return factsOf(context.switchToHttp().getRequest<Request>()).recheck;
});
