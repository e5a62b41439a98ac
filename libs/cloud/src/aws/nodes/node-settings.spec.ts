import { processorOf } from './node-settings.js';
import { LOCAL_DISKS, volumeLink } from './volume-links.js';

describe('The disks of an instance', () => {
  it('are found by the serial number of their volume, or as local disks', () => {
    expect(volumeLink('vol-0123456789abcdef0')).toBe(
      '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0123456789abcdef0',
    );
    expect(LOCAL_DISKS).toMatch(/nvme-Amazon_EC2_NVMe_Instance_Storage$/);
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
