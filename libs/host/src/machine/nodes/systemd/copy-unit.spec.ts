import { copyUnit } from './copy-unit.js';

const UNIT = {
  ...{ nodeId: 5, user: 'landlord-node-5', work: '/machine/copies/5', target: '/machine/nodes/5/copied-7' },
  ...{ dir: '/machine', copy: { order: 7, device: '/dev/disk/by-id/nvme-vol0123', node_id: 3 } },
};

describe('The unit of a copy', () => {
  it('names the disk, the node and the user in words of their own', () => {
    const command = copyUnit(UNIT)
      .split('\n')
      .find((line) => line.startsWith('ExecStart='));

    expect(command).toMatch(
      / "copy" "\/dev\/disk\/by-id\/nvme-vol0123" "3" "\/machine\/copies\/5" "\/machine\/nodes\/5\/copied-7" "landlord-node-5"$/,
    );
    expect(command).not.toMatch(/[^$]\$[^$]/);
  });

  it.each(['/dev/sda', '/dev/disk/by-id/../../sda', '/dev/disk/by-id/a b', '/dev/disk/by-id/a"', ''])(
    'is refused for %j, which is not a disk by its id',
    (device) => {
      expect(() => copyUnit({ ...UNIT, copy: { ...UNIT.copy, device } })).toThrow(TypeError);
    },
  );
});
