import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { factsOf } from '@libs/http';
import type { Request } from 'express';

/** The trace of a request that nobody is known to have made. */
export const TraceId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => factsOf(context.switchToHttp().getRequest<Request>()).traceId,
);
