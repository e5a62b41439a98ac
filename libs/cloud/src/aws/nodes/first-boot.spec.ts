import { spawnSync } from 'node:child_process';
import { firstBootScript } from './first-boot.js';
import { processorOf } from './node-settings.js';

const BOOT = {
  join: { url: 'https://gateway.example.com:4001', authority: 'PEM', script: '#!/bin/sh\n' },
  token: '7.c2VjcmV0',
  volumeId: 'vol-0123456789abcdef0',
};

describe('The first boot of an instance', () => {
  it.each([['vol-0123456789abcdef0'], [null]])(
    'runs a script that a shell can read, with the volume %s',
    (volumeId) => {
      const { status, stderr } = spawnSync('sh', ['-n'], {
        ...{ encoding: 'utf8', input: firstBootScript({ ...BOOT, volumeId }) },
      });

      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  );

  it('looks for the disk by the serial number of its volume, or for the local disks', () => {
    expect(firstBootScript(BOOT)).toContain('/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0123456789abcdef0*');
    expect(firstBootScript({ ...BOOT, volumeId: null })).toContain('nvme-Amazon_EC2_NVMe_Instance_Storage*');
  });

  it('gives the token to the standard input of the join, never to its arguments', () => {
    const lines = firstBootScript(BOOT).split('\n');
    const withToken = lines.filter((line) => line.includes(BOOT.token));

    expect(withToken).toHaveLength(1);
    expect(withToken[0]).toMatch(/^until printf '%s\\n' '7\.c2VjcmV0' \| \(cd .* --memory host\); do$/);
  });

  it('is refused when it is longer than AWS accepts', () => {
    const join = { ...BOOT.join, url: `https://${'a'.repeat(16_384)}` };

    expect(() => firstBootScript({ ...BOOT, join })).toThrow(TypeError);
  });
});

describe('The processor of an instance type', () => {
  it.each([
    ['m8g.large', 'arm64'],
    ['c7gd.16xlarge', 'arm64'],
    ['t4g.micro', 'arm64'],
    ['im4gn.16xlarge', 'arm64'],
    ['m7i.large', 'x64'],
    ['c6id.large', 'x64'],
    ['g4dn.xlarge', 'x64'],
    ['i4i.32xlarge', 'x64'],
  ])('%s is %s', (type, processor) => {
    expect(processorOf(type)).toBe(processor);
  });
});
