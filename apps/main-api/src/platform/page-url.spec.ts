import { pageUrl, publicUrl } from './page-url.js';

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
