import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from '@libs/domain';

export const ERROR_CODES_EXTENSION = 'x-error-codes';
const CODES = Symbol('landlord.error_codes');

/** Declares what can go wrong; adds up over several decorators of one route, and becomes its error responses. */
export const FailsWith =
  (...codes: ErrorCode[]): MethodDecorator =>
  (target, key, descriptor) => {
    const handler = descriptor.value as object;
    const known = (Reflect.getMetadata(CODES, handler) as ErrorCode[] | undefined) ?? [];
    const all = [...new Set([...known, ...codes])].sort();
    Reflect.defineMetadata(CODES, all, handler);
    ApiExtension(ERROR_CODES_EXTENSION, all)(target, key, descriptor);
  };

/** The codes a handler declares. */
export const declaredErrors = (handler: object): ErrorCode[] =>
  (Reflect.getMetadata(CODES, handler) as ErrorCode[] | undefined) ?? [];
