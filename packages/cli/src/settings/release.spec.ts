import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteRelease, RELEASE, releaseNotice } from './release.js';

describe('The release', () => {
  it('is the version of the package', () => {
    const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');

    expect((JSON.parse(text) as { version: string }).version).toBe(RELEASE);
  });

  it('of an installation is told if it is another one, but not for another last number', () => {
    const [major, minor] = RELEASE.split('.').map(Number);
    noteRelease('http://localhost:3000/tenants', null);
    noteRelease('http://localhost:3000/tenants', `${major}.${minor}.99`);
    expect(releaseNotice()).toBeNull();

    noteRelease('http://localhost:3000/tenants?code=secret', `${major}.${Number(minor) + 1}.0`);
    expect(releaseNotice()).toContain(`http://localhost:3000 runs Landlord ${major}.${Number(minor) + 1}.0`);
    expect(releaseNotice()).not.toContain('secret');
  });
});
