import { spawnSync } from 'node:child_process';
import { firstBootScript } from './first-boot.js';

const BOOT = {
  join: { url: 'https://gateway.example.com:4001', authority: 'PEM', script: '#!/bin/sh\n' },
  token: '7.c2VjcmV0',
  disks: '/dev/disk/by-id/google-landlord-data',
};

describe('The first boot of an instance', () => {
  it('runs a script that a shell can read', () => {
    const { status, stderr } = spawnSync('sh', ['-n'], { encoding: 'utf8', input: firstBootScript(BOOT) });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('looks for the disks at their paths', () => {
    expect(firstBootScript(BOOT)).toContain('/dev/disk/by-id/google-landlord-data*');
  });

  it('gives the token to the standard input of the join, never to its arguments', () => {
    const lines = firstBootScript(BOOT).split('\n');
    const withToken = lines.filter((line) => line.includes(BOOT.token));

    expect(withToken).toHaveLength(1);
    expect(withToken[0]).toMatch(/^until printf '%s\\n' '7\.c2VjcmV0' \| \(cd .* --memory host\); do$/);
  });

  it('is refused when it is longer than a cloud accepts', () => {
    const join = { ...BOOT.join, url: `https://${'a'.repeat(16_384)}` };

    expect(() => firstBootScript({ ...BOOT, join })).toThrow(TypeError);
  });
});
