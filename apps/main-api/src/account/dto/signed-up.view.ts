/** The same for an address that has an account: who asks learns nothing. */
export class SignedUpView {
  /** Where a mail is on its way. */
  email: string;
}
