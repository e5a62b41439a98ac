/** The result of a sign-up. It is the same for an address that already has an account. */
export class SignedUpView {
  /** The address that the verification mail was sent to. */
  email: string;
}
