import type { ExecutionContext, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** The classes of a handler's body and query; null if the handler takes none. */
export interface InputClasses {
  body: Type<object> | null;
  query: Type<object> | null;
}

const cache = new WeakMap<object, InputClasses>();

/** Returns the classes of the handler of a request, cached per handler. */
export function inputClassesOf(context: ExecutionContext): InputClasses {
  const handler = context.getHandler();
  const before = cache.get(handler);
  if (before) return before;
  const classes = inputClasses(context.getClass(), handler.name);
  cache.set(handler, classes);
  return classes;
}

/** Reads the classes from the metadata that Nest stores for the parameters of a method. */
export function inputClasses(controller: Type, method: string): InputClasses {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ??
    []) as Type<object>[];
  const classOf = (kind: RouteParamtypes): Type<object> | null => {
    const [, parameter] = Object.entries(parameters).find(([key]) => key.startsWith(`${kind}:`)) ?? [];
    return parameter ? (types[parameter.index] ?? null) : null;
  };
  return { body: classOf(RouteParamtypes.BODY), query: classOf(RouteParamtypes.QUERY) };
}
