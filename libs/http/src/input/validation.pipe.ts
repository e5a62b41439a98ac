import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { FurtherFaults } from './further-faults.js';
import { judgeInput } from './judge-input.js';

const PRIMITIVES: unknown[] = [String, Number, Boolean, Array, Object, undefined];

/**
 * Hands a handler its body and its query as instances of their classes. Where `RouteInput` stands before the route they are
 * instances already; anything else is judged here, so nothing reaches a handler unjudged.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  constructor(private readonly further: FurtherFaults) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype || PRIMITIVES.includes(metatype)) return value;
    if (value instanceof metatype) return value;
    return judgeInput(metatype as Type<object>, value, type === 'body' ? this.further : null);
  }
}
