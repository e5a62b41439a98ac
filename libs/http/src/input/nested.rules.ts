import { applyDecorators, type Type as ClassOf } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { markNested } from './members.js';

/** An object with its own class. */
export const Nested = (type: ClassOf<object>, description?: string, message?: string): PropertyDecorator =>
  applyDecorators(
    IsObject(message === undefined ? {} : { message }),
    ValidateNested(),
    markNested({ type, most: null }),
    ApiProperty({ type, ...(description !== undefined && { description }) }),
  );

/** A list of objects with their own class. */
export const NestedList = (
  type: ClassOf<object>,
  [minimum, maximum]: readonly [number, number],
  description: string,
): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMinSize(minimum),
    ArrayMaxSize(maximum),
    ValidateNested({ each: true }),
    markNested({ type, most: maximum }),
    ApiProperty({ type, isArray: true, minItems: minimum, maxItems: maximum, description }),
  );
