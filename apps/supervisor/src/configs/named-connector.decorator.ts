import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The name of a connector in a path. The catalogue decides whether it exists. */
export interface ConnectorName {
  type: string;
  key: string;
}

/** Returns the connector in the path `connector:{type}:{key}`. */
export const NamedConnector = createParamDecorator((_: unknown, context: ExecutionContext): ConnectorName => {
  const { type, key } = context.switchToHttp().getRequest<Request>().params;
  return { type: String(type), key: String(key) };
});
