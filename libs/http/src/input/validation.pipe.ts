import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { FurtherFaults } from './further-faults.js';
import { validateInput } from './validate-input.js';

const PRIMITIVES: unknown[] = [String, Number, Boolean, Array, Object, undefined];

/**
 * Passes the body and the query to a handler as instances of their classes. After `RouteInput` they are instances
 * already. This pipe validates everything else, so no unvalidated input reaches a handler.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  constructor(private readonly further: FurtherFaults) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype || PRIMITIVES.includes(metatype)) return value;
    if (value instanceof metatype) return value;
    return validateInput(metatype as Type<object>, value, type === 'body' ? this.further : null);
  }
}
