import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { factsOf, sessionCookie } from '@libs/http';
import type { Request } from 'express';

/** Who asks, before anybody knows who it is. */
export interface ClientFacts {
  address: string;
  userAgent: string;
  /** Whether the request came by HTTPS, to us or to a proxy that is trusted. */
  isSecure: boolean;
  /** The well-formed session cookie, if one came along: that of plain HTTP, or that of HTTPS. */
  sessionToken(isSecure: boolean): string | null;
  traceId: string;
  requestId: string;
}

const USER_AGENT_LENGTH = 200;

/** The facts of the client behind a request. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): ClientFacts => {
  const request = context.switchToHttp().getRequest<Request>();
  const { traceId, requestId } = factsOf(request);
  return {
    address: request.ip ?? '',
    userAgent: (request.headers['user-agent'] ?? '').replaceAll(/\p{C}+/gu, ' ').slice(0, USER_AGENT_LENGTH),
    isSecure: request.secure,
    sessionToken: (isSecure) => sessionCookie(request, isSecure),
    traceId,
    requestId,
  };
});
