import { ApiNullableText } from '@libs/http';

/** The result of a sign-up. It is the same for an address that already has an account. */
export class SignedUpView {
  /** The address that the verification mail was sent to. */
  email: string;

  @ApiNullableText(
    'The folder with the mail as a file, if this installation has no mail server. Null for clients on other machines.',
  )
  mail_folder: string | null;
}
