import { etagAt, forgetEtagsOf, keepEtag } from './etags.js';

const read = (path: string, etag: string): void =>
  keepEtag(`https://cloud.example${path}`, new Response('{}', { headers: { etag } }));

describe('The etags of a tab', () => {
  it('are forgotten after a change of the tab itself, which made another one', () => {
    read('/tenants/1/api_keys/5', '"five"');
    read('/tenants/1/api_keys/6', '"six"');

    forgetEtagsOf('/tenants/1/api_keys/5/rotate');

    expect(etagAt('/tenants/1/api_keys/5')).toBeUndefined();
    expect(etagAt('/tenants/1/api_keys/6')).toBe('"six"');
  });
});
