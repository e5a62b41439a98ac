import type { ErrorCode } from '@libs/domain';

const CODES = Symbol('landlord.error_codes');
const byOperation = new Map<string, ErrorCode[]>();

/** `Deployments_create`: stable as long as the room and the verb keep their names. */
export const operationIdOf = (controller: string, method: string): string =>
  `${controller.replace(/Controller$/, '')}_${method}`;

/** Declares what can go wrong; adds up over several decorators of one route, and becomes its error responses. */
export const FailsWith =
  (...codes: ErrorCode[]): MethodDecorator =>
  (target, key, descriptor) => {
    const handler = descriptor.value as object;
    const all = [...new Set([...declaredErrors(handler), ...codes])].sort();
    Reflect.defineMetadata(CODES, all, handler);
    byOperation.set(operationIdOf(target.constructor.name, String(key)), all);
  };

/** The codes a handler declares. */
export const declaredErrors = (handler: object): ErrorCode[] =>
  (Reflect.getMetadata(CODES, handler) as ErrorCode[] | undefined) ?? [];

/** The codes of the handler behind an operation of the API description. */
export const errorsOfOperation = (operationId: string): readonly ErrorCode[] => byOperation.get(operationId) ?? [];
