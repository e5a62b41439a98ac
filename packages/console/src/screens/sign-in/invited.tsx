/** What a person without a session must know who follows the link of an invitation. */
export const Invited = ({ next = '' }: { next: string | undefined }) =>
  /^\/account\/invitations\/\d+/.test(next) && (
    <p>
      You are invited to an organization. Sign in, or create an account, with the address to which the invitation was
      mailed. Then you can accept the invitation.
    </p>
  );
