import { canonicalMailbox } from './mailbox.js';

describe('A mailbox', () => {
  it.each([
    ['me@example.com', ['Me@Example.com', 'ME@EXAMPLE.COM', ' me@example.com ', 'me@example.com.']],
    [
      'me@xn--mnchen-3ya.de',
      ['me@münchen.de', 'ME@MÜNCHEN.DE', 'me@XN--MNCHEN-3YA.de', 'me@mu\u0308nchen.de', 'me@MU\u0308NCHEN.de'],
    ],
    ['jörg@xn--exmple-cua.com', ['jörg@exämple.com', 'JÖRG@xn--exmple-cua.com', 'jo\u0308rg@exämple.com']],
    ['me@example.com', ['me@ｅｘａｍｐｌｅ.com', 'me@example。com']],
    ['me@xn--fa-hia.de', ['me@faß.de', 'me@FAẞ.de']],
    ['me@xn--r8jz45g.jp', ['me@例え.jp', 'me@xn--R8JZ45G.jp']],
  ])('has one form: %s', (form, spellings) => {
    for (const spelling of [form, ...spellings]) expect(canonicalMailbox(spelling)).toBe(form);
  });

  it.each([
    ['a.b@gmail.com', 'ab@gmail.com'],
    ['me+tag@example.com', 'me@example.com'],
    ['me@fass.de', 'me@faß.de'],
    ['me@mail.example.com', 'me@example.com'],
    ['mé@example.com', 'me@example.com'],
  ])('is not another one: %s and %s', (one, other) => {
    expect(canonicalMailbox(one)).not.toBe(canonicalMailbox(other));
  });
});
