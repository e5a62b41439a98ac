/** The same for an address that has an account: who asks learns nothing. */
export class SignedUpView {
  /** The address that the verification mail was sent to. */
  email: string;
}
