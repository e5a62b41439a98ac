import { PREVIEW_BYTES, previewOf } from './payload-preview.js';

describe('The preview of a payload', () => {
  it.each([
    ['text', Buffer.from('héllo\n'), 'text', 'héllo\n'],
    ['nothing', Buffer.alloc(0), 'text', ''],
    ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x61]), 'text', '\ufeffa'],
    ['binary data', Buffer.from([0xff, 0x00]), 'base64', '/wA='],
    ['half a character at the end', Buffer.from([0x61, 0xc3]), 'base64', 'YcM='],
  ])('of %s', (_what, bytes, encoding, payload) => {
    expect(previewOf(bytes)).toEqual({ payload, encoding, bytes: bytes.length, is_truncated: false });
  });

  it('has at most 4 KiB, and omits half a character at the cut', () => {
    const bytes = Buffer.concat([Buffer.alloc(PREVIEW_BYTES - 1, 'a'), Buffer.from('ü'), Buffer.alloc(10_000, 'b')]);

    expect(previewOf(bytes)).toEqual({
      ...{ payload: 'a'.repeat(PREVIEW_BYTES - 1), encoding: 'text' },
      ...{ bytes: bytes.length, is_truncated: true },
    });
  });

  it('states the length of a payload of which only the start is stored', () => {
    expect(previewOf(Buffer.from('abc'), 1_000_000)).toMatchObject({ payload: 'abc', bytes: 1e6, is_truncated: true });
  });
});
