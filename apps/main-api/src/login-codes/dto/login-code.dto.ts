import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Example, IsName, IsSpelled, IsText, publishedPattern } from '@libs/http';
import { ValidateBy } from 'class-validator';

const LENGTH = 200;
const CHALLENGE = { pattern: /^[\w-]{43}$/, reason: 'must be SHA-256 in base64url, 43 characters' };
const VERIFIER = { pattern: /^[\w.~-]{43,128}$/, reason: 'must be 43 to 128 letters, digits, "-", ".", "_" and "~"' };
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]):[1-9]\d{0,4}(\/[\w-]*)?$/;

/**
 * A port of the computer of the person, as RFC 8252 recommends. Codes therefore never leave this computer. The path has
 * one part: some servers answer `//example.com/..` with a redirect to this host, and the code would follow.
 */
const IsLoopbackAddress = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isLoopbackAddress',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && value.length <= LENGTH && LOOPBACK.test(value) && URL.canParse(value),
        defaultMessage: () => 'must be http://127.0.0.1:<port>/… or http://[::1]:<port>/…',
      },
    }),
    ApiProperty({
      type: 'string',
      maxLength: LENGTH,
      pattern: publishedPattern(LOOPBACK),
      description: 'The address at which the command line listens on this computer, such as http://127.0.0.1:41234/.',
    }),
  );

/** The request of a command line for a key (RFC 7636, RFC 8252). */
@Example<CreateLoginCodeDto>({
  name: 'laptop of Ann',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  redirect_uri: 'http://127.0.0.1:41234/',
  state: 'af0ifjsldkj',
})
export class CreateLoginCodeDto {
  @IsName('The name of the new key, in lists and in the audit.')
  name: string;

  @IsSpelled(CHALLENGE, 'SHA-256 of the `code_verifier` of the command line, in base64url.')
  code_challenge: string;

  @IsLoopbackAddress()
  redirect_uri: string;

  @IsText(LENGTH, 'Comes back unchanged in `redirect_to`, so that the command line recognizes its own request.')
  state: string;
}

/** A code, and the secret of the command line that asked for the code. */
@Example<RedeemLoginCodeDto>({
  code: 'the code of redirect_to',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'http://127.0.0.1:41234/',
})
export class RedeemLoginCodeDto {
  @IsText(LENGTH, 'The code in `redirect_to`.')
  code: string;

  @IsSpelled(VERIFIER, 'The text whose SHA-256 the request for the code contained.')
  code_verifier: string;

  @IsLoopbackAddress()
  redirect_uri: string;
}
