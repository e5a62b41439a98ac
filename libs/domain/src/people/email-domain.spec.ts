import { getDomain } from 'tldts';
import { corporateDomainOf, domainOf, isPublicProvider, registrableDomainOf } from './email-domain.js';
import { PUBLIC_EMAIL_DOMAINS } from './public-email-domains.js';

describe('The domain of an address', () => {
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
    'of %s is no organization’s',
    (email) => {
      expect(corporateDomainOf(email)).toBeNull();
    },
  );

  it('is what stands behind the last @', () => {
    expect(domainOf('"a@b"@Acme.Com')).toBe('acme.com');
  });
});

describe('The list of public providers', () => {
  it('is long, has no entry twice, and each can be met', () => {
    expect(PUBLIC_EMAIL_DOMAINS.length).toBeGreaterThan(300);
    expect(new Set(PUBLIC_EMAIL_DOMAINS).size).toBe(PUBLIC_EMAIL_DOMAINS.length);
    const odd = PUBLIC_EMAIL_DOMAINS.filter((name) => name !== name.toLowerCase() || getDomain(name) === null);
    expect(odd).toEqual([]);
  });

  it('holds whom everybody knows', () => {
    for (const name of ['gmail.com', 'outlook.com', 'yahoo.co.jp', 'icloud.com', 'proton.me', 'gmx.de', 'web.de'])
      expect(isPublicProvider(name)).toBe(true);
    for (const name of ['qq.com', '163.com', 'yandex.ru', 'mail.ru', 'hey.com', 'fastmail.com'])
      expect(isPublicProvider(name.toUpperCase())).toBe(true);
    expect(isPublicProvider('acme.com')).toBe(false);
  });
});
