import type { ErrorCode } from '@libs/domain';

const CODES = Symbol('landlord.error_codes');
const byOperation = new Map<string, ErrorCode[]>();

/** `Deployments_create`: stable while the controller and the method keep their names. */
export const operationIdOf = (controller: string, method: string): string =>
  `${controller.replace(/Controller$/, '')}_${method}`;

/** Declares the errors of a route. Several decorators of one route add up. They become its error responses. */
export const FailsWith =
  (...codes: ErrorCode[]): MethodDecorator =>
  (target, key, descriptor) => {
    const handler = descriptor.value as object;
    const all = [...new Set([...declaredErrors(handler), ...codes])].sort();
    Reflect.defineMetadata(CODES, all, handler);
    byOperation.set(operationIdOf(target.constructor.name, String(key)), all);
  };

/** Returns the codes that a handler declares. */
export const declaredErrors = (handler: object): ErrorCode[] =>
  (Reflect.getMetadata(CODES, handler) as ErrorCode[] | undefined) ?? [];

/** Returns the codes of the handler of an operation in the API description. */
export const errorsOfOperation = (operationId: string): readonly ErrorCode[] => byOperation.get(operationId) ?? [];
