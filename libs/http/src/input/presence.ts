import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';
import { markNullable } from './members.js';

/** May be left out, but must not be null. */
export const Optional = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined),
    ApiProperty({ required: false }),
  );

/** May be left out. Null clears the member in an update. In a creation, null means the same as leaving the member out. */
export const Clearable = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined && value !== null),
    markNullable,
    ApiProperty({ required: false, nullable: true }),
  );

/** `Clearable` for a text. An empty text means null: no record shows an empty text. */
export const ClearableText = (): PropertyDecorator =>
  applyDecorators(
    Clearable(),
    Transform(({ value }: { value: unknown }) => (value === '' ? null : value)),
  );
