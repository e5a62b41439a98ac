import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isName, NAME_LENGTH, NAME_PATTERN, tidyName } from '@libs/domain';
import { markName } from './members.js';

export const NAME_REASON = `must be 1 to ${NAME_LENGTH} characters, not only blanks, none a control or format character`;

/** A name that is too long stays too long. */
const toTidy = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && value.length <= NAME_LENGTH ? tidyName(value) : value;

/** A name: 1 to 100 characters, not only blanks, no control or format characters. Outer blanks are removed. */
export const IsName = (description: string): PropertyDecorator =>
  applyDecorators(
    Transform(toTidy),
    markName,
    ValidateBy({
      name: 'isName',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isName(value),
        defaultMessage: () => NAME_REASON,
      },
    }),
    ApiProperty({ type: 'string', minLength: 1, maxLength: NAME_LENGTH, pattern: NAME_PATTERN, description }),
  );

const WEB_ADDRESS = /:\/\/|www\./i;

/** A name in mails to people outside the organization. It must not contain a web address. */
export const IsMailedName = (description: string): PropertyDecorator =>
  applyDecorators(
    IsName(description),
    ValidateBy({
      name: 'isWithoutWebAddress',
      validator: {
        validate: (value: unknown) =>
          typeof value !== 'string' || value.length > NAME_LENGTH || !WEB_ADDRESS.test(value),
        defaultMessage: () => 'must not contain a web address',
      },
    }),
  );
