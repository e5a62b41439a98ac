import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';

/**
 * For a member that belongs to one value of another member: required with that value, refused with the others. When the
 * other member is malformed, only that fault is reported.
 */
export const OnlyWhen = (member: string, value: string, values: readonly string[]): PropertyDecorator => {
  const valueIn = (dto: object): unknown => (dto as Record<string, unknown>)[member];
  const isRefused = (dto: object): boolean => valueIn(dto) !== value && values.some((other) => other === valueIn(dto));
  return applyDecorators(
    ValidateIf((dto: object, member: unknown) => member !== undefined || valueIn(dto) === value),
    ValidateBy({
      name: 'isOnlyWhen',
      validator: {
        validate: (_: unknown, args?: ValidationArguments) => args !== undefined && !isRefused(args.object),
        defaultMessage: () => `is for ${member} ${value} only`,
      },
    }),
    ApiProperty({ required: false }),
  );
};
