import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { PASSWORD_LENGTH } from '@libs/domain';
import { IsString, Length, MaxLength } from 'class-validator';

const { minimum, maximum } = PASSWORD_LENGTH;
/** Longer than any password. An error about the real limit would help an attacker. */
const SHOWN_MAXIMUM = 1000;

/** A new password. This checks the length; `passwordFault` checks the rest. */
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

/** An existing password. */
export const IsPassword = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MaxLength(SHOWN_MAXIMUM),
    ApiProperty({ type: 'string', format: 'password', maxLength: SHOWN_MAXIMUM, description: 'The password.' }),
  );

/** The token of a mailed link. */
export const IsMailedToken = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MaxLength(200),
    ApiProperty({ type: 'string', maxLength: 200, description: 'From the link of the mail.' }),
  );
