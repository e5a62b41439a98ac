import { DEFAULT_GCP_IMAGE, gcpProcessorOf, imagePath, isGcpImage } from './node-settings.js';
import { diskTypeOf } from './node-disks.js';

describe('The image of instances', () => {
  it('is the newest one of a family, for each processor', () => {
    expect(imagePath(DEFAULT_GCP_IMAGE, 'x64')).toBe(
      'projects/ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-amd64',
    );
    expect(imagePath(DEFAULT_GCP_IMAGE, 'arm64')).toBe(
      'projects/ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-arm64',
    );
    expect(imagePath('debian-cloud/debian-12', 'arm64')).toBe('projects/debian-cloud/global/images/family/debian-12');
  });

  it.each(['debian', 'debian-cloud/', 'Debian-cloud/debian-12', 'a/b/c', 'debian-cloud/debian 12'])(
    '%j is none',
    (text) => {
      expect(isGcpImage(text)).toBe(false);
      expect(() => imagePath(text, 'x64')).toThrow(/GCP_IMAGE is/);
    },
  );
});

describe('The machine types of Google', () => {
  it.each([
    ['c4a-standard-2', 'arm64', 'hyperdisk-balanced'],
    ['t2a-standard-1', 'arm64', 'pd-balanced'],
    ['n4-standard-2', 'x64', 'hyperdisk-balanced'],
    ['n2-standard-2', 'x64', 'pd-balanced'],
    ['n2d-standard-128', 'x64', 'pd-balanced'],
    ['e2-micro', 'x64', 'pd-balanced'],
    ['c3-standard-4-lssd', 'x64', 'pd-balanced'],
  ])('%s has processor %s and disks of type %s', (type, processor, disk) => {
    expect(gcpProcessorOf(type)).toBe(processor);
    expect(diskTypeOf(type)).toBe(disk);
  });
});
