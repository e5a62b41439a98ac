import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';
import { markNullable } from './members.js';

/** May be left out, but is not null. */
export const Optional = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined),
    ApiProperty({ required: false }),
  );

/** May be left out. Null clears the member in an update, and means the same as left out in a creation. */
export const Clearable = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined && value !== null),
    markNullable,
    ApiProperty({ required: false, nullable: true }),
  );

/** `Clearable` for a text whose record shows an empty text where there is none. */
export const ClearableText = (): PropertyDecorator =>
  applyDecorators(
    Clearable(),
    Transform(({ value }: { value: unknown }) => (value === null ? '' : value)),
  );
