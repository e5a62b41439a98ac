import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import type { Response } from 'express';
import { orOnceMore } from './repeat-once.js';

type Handler = (...args: unknown[]) => unknown;

/**
 * Reads once more when the connection to the database was cut. A write is repeated by its interceptor, if at all. An answer that has
 * begun is not repeated. It wraps the method: an interceptor would add a fifth to the time of each read.
 */
export const ReadsAgain: MethodDecorator = (_target, _name, descriptor: PropertyDescriptor) => {
  const read = descriptor.value as Handler;
  const again = function (this: unknown, ...args: unknown[]): unknown {
    const answer = read.apply(this, args);
    // What needs no promise reads no database.
    if (!(answer instanceof Promise)) return answer;
    const mayRepeat = (): boolean =>
      Reflect.getMetadata(METHOD_METADATA, again) === RequestMethod.GET && !args.some(hasBegun);
    return orOnceMore(answer, async () => read.apply(this, args), mayRepeat);
  };
  // What other decorators have said about the method.
  for (const key of Reflect.getMetadataKeys(read)) Reflect.defineMetadata(key, Reflect.getMetadata(key, read), again);
  Object.defineProperty(again, 'name', { value: read.name });
  descriptor.value = again;
};

const hasBegun = (arg: unknown): boolean =>
  typeof arg === 'object' && arg !== null && (arg as Partial<Response>).headersSent === true;
