import { LEAKED_PASSWORDS } from './leaked-passwords.js';
import { PASSWORD_LENGTH, passwordFault } from './password-rules.js';

const EMAIL = 'Longer.Name@acme.com';

describe('A new password', () => {
  it.each(['longer.name@acme.com', ' LONGER.NAME ', 'longer.name'])(
    'must not be the address or its local part: %s',
    (password) => {
      expect(passwordFault(password, EMAIL)?.code).toBe('is_email');
    },
  );

  it.each(['1234567890', 'QwertyUIOP', 'Password123', 'correct horse battery staple'])(
    'must not be a common password: %s',
    (password) => {
      expect(passwordFault(password, EMAIL)?.code).toBe('is_common');
    },
  );

  it.each(['longer.name2', 'aaaaaaaaab', 'a long enough phrase', '🐴🔋 correct horse'])(
    'may be any other text: %s',
    (password) => {
      expect(passwordFault(password, EMAIL)).toBeNull();
    },
  );

  it('is compared with a list without entries that other rules refuse', () => {
    expect(LEAKED_PASSWORDS.size).toBeGreaterThan(300);
    for (const password of LEAKED_PASSWORDS) {
      expect(password.length).toBeGreaterThanOrEqual(PASSWORD_LENGTH.minimum);
      expect(password).toBe(password.toLowerCase());
    }
  });
});
