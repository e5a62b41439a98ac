/** The fields of a login, with the names that programs that keep passwords know. */
export const EMAIL = { label: 'E-mail address', name: 'email', type: 'email', autoComplete: 'username' } as const;
export const PASSWORD = {
  label: 'Password',
  name: 'password',
  type: 'password',
  autoComplete: 'current-password',
} as const;

/** For programs that keep passwords: whose password the form asks for. */
export const KnownEmail = ({ email }: { email: string }) => (
  <input type="email" name={EMAIL.name} autoComplete={EMAIL.autoComplete} value={email} readOnly hidden />
);
