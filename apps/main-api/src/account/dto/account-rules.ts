import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { PASSWORD_LENGTH } from '@libs/domain';
import { IsString, Length, MaxLength } from 'class-validator';

const { minimum, maximum } = PASSWORD_LENGTH;
/** Longer than any password can be; an answer about its length would tell a guesser something. */
const SHOWN_MAXIMUM = 1000;

/** A password to be: its length is judged here, the rest by `passwordFault`. */
export const IsNewPassword = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    Length(minimum, maximum),
    ApiProperty({
      type: 'string',
      format: 'password',
      minLength: minimum,
      maxLength: maximum,
      description: 'Neither the e-mail address nor one of the most common passwords.',
    }),
  );

/** A password as it is. */
export const IsPassword = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MaxLength(SHOWN_MAXIMUM),
    ApiProperty({ type: 'string', format: 'password', maxLength: SHOWN_MAXIMUM, description: 'The password.' }),
  );

/** What a mailed link carries. */
export const IsMailedToken = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MaxLength(200),
    ApiProperty({ type: 'string', maxLength: 200, description: 'From the link of the mail.' }),
  );
