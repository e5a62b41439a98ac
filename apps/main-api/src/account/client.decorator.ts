import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { factsOf, isFromThisMachine, isMeantForThisMachine, sessionCookie } from '@libs/http';
import type { Request } from 'express';

/** The facts of a client before authentication. */
export interface ClientFacts {
  address: string;
  userAgent: string;
  /** Whether the request came by HTTPS, to this process or to a trusted proxy. */
  isSecure: boolean;
  /** Whether the request comes from a program on this machine, and no proxy. */
  isFromThisMachine: boolean;
  /** Whether the client has called a loopback name, and no proxy. */
  isMeantForThisMachine: boolean;
  /** Returns the well-formed session cookie, if the request has one, by the name for plain HTTP or for HTTPS. */
  sessionToken(isSecure: boolean): string | null;
  traceId: string;
  requestId: string;
}

const USER_AGENT_LENGTH = 200;

/** Returns the facts of the client of a request. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext): ClientFacts => {
  const request = context.switchToHttp().getRequest<Request>();
  const { traceId, requestId } = factsOf(request);
  return {
    address: request.ip ?? '',
    userAgent: (request.headers['user-agent'] ?? '').replaceAll(/\p{C}+/gu, ' ').slice(0, USER_AGENT_LENGTH),
    isSecure: request.secure,
    isFromThisMachine: isFromThisMachine(request),
    isMeantForThisMachine: isMeantForThisMachine(request),
    sessionToken: (isSecure) => sessionCookie(request, isSecure),
    traceId,
    requestId,
  };
});
