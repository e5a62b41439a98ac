import { textOf } from './payload.js';

const base64 = (bytes: string | readonly number[]): string =>
  Buffer.from(typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)).toString('base64');

describe('The payload of a message', () => {
  it('is its text, without characters that turn it around', () => {
    expect(textOf(base64('{"name":"Ångström"}'))).toBe('{"name":"Ångström"}');
    expect(textOf(base64('a\u202Eb\n\u001B[31m'))).toBe('a\\u{202e}b\\u{a}\\u{1b}[31m');
  });

  it('stays base64 when it is no text', () => {
    expect(textOf(base64([0xff, 0xfe, 0x00]))).toBe('//4A');
  });
});
