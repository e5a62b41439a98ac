import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

// A name is shown, mailed and logged, so it must not contain control characters.
// eslint-disable-next-line no-control-regex
const NAME = /^(?=.*\S)[^\u0000-\u001f\u007f-\u009f]*$/;
const NAME_LENGTH = 100;

/**
 * Names are compared and shown. So outer blanks are removed, and each character has one form. A name that is too long
 * stays too long.
 */
const tidyName = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && value.length <= NAME_LENGTH ? value.trim().normalize('NFC') : value;

/** A name: 1 to 100 characters, not only blanks, no control characters. Outer blanks are removed. */
export const IsName = (description: string): PropertyDecorator =>
  applyDecorators(
    Transform(tidyName),
    ValidateBy({
      name: 'isName',
      validator: {
        // Checks the length first, so that a long text is not scanned.
        validate: (value: unknown) => typeof value === 'string' && value.length <= NAME_LENGTH && NAME.test(value),
        defaultMessage: () => `must be 1 to ${NAME_LENGTH} characters, not only blanks, none a control character`,
      },
    }),
    ApiProperty({ type: 'string', minLength: 1, maxLength: NAME_LENGTH, pattern: NAME.source, description }),
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
