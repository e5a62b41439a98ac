import { changesOf } from './changes-of.js';
import { pageUrl, publicUrl } from './page-url.js';

describe('The changes of an update', () => {
  it('are the members that differ, with their previous values', () => {
    const current = { name: 'old', remarks: 'same', limit: 3 };

    expect(changesOf(current, { name: 'new', remarks: 'same' })).toEqual({
      changes: { name: 'new' },
      previous: { name: 'old' },
    });
  });

  it('leave out members that are absent, and keep null, false and 0', () => {
    const current: { name: string; isOpen: boolean; limit: number; remarks: string | null } = {
      ...{ name: 'old', isOpen: true, limit: 3, remarks: 'some' },
    };

    const { changes } = changesOf(current, { isOpen: false, limit: 0, remarks: null });

    expect(changes).toEqual({ isOpen: false, limit: 0, remarks: null });
  });
});

describe('The address of a page', () => {
  it('is below the public address, with the token in the fragment', () => {
    const config = { LANDLORD_PUBLIC_URL: 'https://cloud.example/landlord/', MAIN_API_PORT: 3000 };

    expect(pageUrl(config, '/verify', '7.a-b_c')).toBe('https://cloud.example/landlord/console/verify#7.a-b_c');
    expect(publicUrl(config, '/docs')).toBe('https://cloud.example/landlord/docs');
  });

  it('is on this machine if the cloud has no public address', () => {
    expect(pageUrl({ LANDLORD_PUBLIC_URL: undefined, MAIN_API_PORT: 3210 }, '/')).toBe(
      'http://localhost:3210/console/',
    );
  });
});
