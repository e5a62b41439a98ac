import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { factsOf } from '@libs/http';
import type { Request } from 'express';

/** The trace of a request without a caller. */
export const TraceId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => factsOf(context.switchToHttp().getRequest<Request>()).traceId,
);
