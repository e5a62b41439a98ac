import { ConnectionError, WrongUseError } from '@landlord/sdk';
import { EXIT } from './exit.js';
import { exitCodeOf, hintFor, isExplained } from './explain-error.js';

const hintOf = (code: string): string | null =>
  hintFor(new ConnectionError('GET https://localhost', { cause: Object.assign(new Error('refused'), { code }) }));

describe('What a person should do about a certificate', () => {
  it.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
    'is to trust the certificate after %s',
    (code) => {
      expect(hintOf(code)).toMatch(/^trust the certificate: /);
    },
  );

  it('is to look at the clock, or at the name, where trust does not help', () => {
    expect(hintOf('CERT_HAS_EXPIRED')).toMatch(/^check the clock of this machine, or renew/);
    expect(hintOf('CERT_NOT_YET_VALID')).toBe('check the clock of this machine');
    expect(hintOf('ERR_TLS_CERT_ALTNAME_INVALID')).toMatch(/use a host name of the certificate$/);
    expect(hintOf('ECONNREFUSED')).toMatch(/check that the installation runs$/);
  });
});

describe('A TypeError', () => {
  it('is a bug, which is shown with its stack, unless it is a wrong use of the SDK', () => {
    const [bug, wrongUse] = [new TypeError('undefined is no function'), new WrongUseError('tenant_id is missing')];

    expect([isExplained(bug), exitCodeOf(bug)]).toEqual([false, EXIT.other]);
    expect([isExplained(wrongUse), exitCodeOf(wrongUse)]).toEqual([true, EXIT.usage]);
  });
});
