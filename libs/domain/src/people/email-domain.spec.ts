import { getDomain } from 'tldts';
import { corporateDomainOf, domainOf, isPublicProvider, registrableDomainOf } from './email-domain.js';
import { PUBLIC_EMAIL_DOMAINS } from './public-email-domains.js';

describe('The domain of an e-mail address', () => {
  it.each([
    ['a@acme.com', 'acme.com'],
    ['a@EU.Acme.CO.UK', 'acme.co.uk'],
    ['a@b@acme.com.', 'acme.com'],
    ['a@team.github.io', 'team.github.io'],
    ['a@acme.internal', 'acme.internal'],
    ['a@post.Müller.de', 'xn--mller-kva.de'],
    ['a@xn--mller-kva.de', 'xn--mller-kva.de'],
    ['a@github.io', null],
    ['a@co.uk', null],
    ['a@localhost', null],
    ['a@127.0.0.1', null],
    ['a@[::1]', null],
    ['nobody', null],
  ])('of %s is %s', (email, domain) => {
    expect(registrableDomainOf(email)).toBe(domain);
    expect(corporateDomainOf(email)).toBe(domain);
  });

  it.each(['a@gmail.com', 'A@GMail.COM', 'a@mail.gmail.com', 'a@hotmail.co.uk', 'a@vip.163.com', 'a@i.softbank.jp'])(
    'of %s is not the domain of an organization',
    (email) => {
      expect(corporateDomainOf(email)).toBeNull();
    },
  );

  it('is the text after the last @', () => {
    expect(domainOf('"a@b"@Acme.Com')).toBe('acme.com');
  });
});

describe('The list of public providers', () => {
  it('has more than 300 entries, no entry twice, and only registrable domains in lower case', () => {
    expect(PUBLIC_EMAIL_DOMAINS.length).toBeGreaterThan(300);
    expect(new Set(PUBLIC_EMAIL_DOMAINS).size).toBe(PUBLIC_EMAIL_DOMAINS.length);
    const odd = PUBLIC_EMAIL_DOMAINS.filter((name) => name !== name.toLowerCase() || getDomain(name) === null);
    expect(odd).toEqual([]);
  });

  it('contains the well-known providers', () => {
    for (const name of ['gmail.com', 'outlook.com', 'yahoo.co.jp', 'icloud.com', 'proton.me', 'gmx.de', 'web.de'])
      expect(isPublicProvider(name)).toBe(true);
    for (const name of ['qq.com', '163.com', 'yandex.ru', 'mail.ru', 'hey.com', 'fastmail.com'])
      expect(isPublicProvider(name.toUpperCase())).toBe(true);
    expect(isPublicProvider('acme.com')).toBe(false);
  });
});
