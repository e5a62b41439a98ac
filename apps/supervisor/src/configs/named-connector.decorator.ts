import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** A connector as a path names it; whether there is one is for the catalogue to say. */
export interface ConnectorName {
  type: string;
  key: string;
}

/** The connector in the path `connector:{type}:{key}`. */
export const NamedConnector = createParamDecorator((_: unknown, context: ExecutionContext): ConnectorName => {
  const { type, key } = context.switchToHttp().getRequest<Request>().params;
  return { type: String(type), key: String(key) };
});
