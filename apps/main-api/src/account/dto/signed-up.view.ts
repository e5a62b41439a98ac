/** The answer is the same for an address with an account, so it does not reveal whether an account exists. */
export class SignedUpView {
  /** The address that the verification mail was sent to. */
  email: string;
}
