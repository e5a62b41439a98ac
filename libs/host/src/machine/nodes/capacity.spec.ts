import { Capacity } from './capacity.js';

const size = (memory_mib: number, disk_gib = 1) => ({ memory_mib, disk_gib });

describe('Capacity', () => {
  it('takes nodes until the memory is used, and again after a node has ended', () => {
    const capacity = new Capacity(size(1024, 100));
    capacity.claim(1, size(600));
    const refusal = 'The node needs 500 MiB of memory. The machine has 1024 for nodes, and other nodes use 600.';

    expect(() => capacity.claim(2, size(500))).toThrow(refusal);
    capacity.release(1);
    expect(() => capacity.claim(2, size(500))).not.toThrow();
  });

  it('refuses a node for its disk', () => {
    const capacity = new Capacity(size(1024, 10));

    expect(() => capacity.claim(1, size(1, 11))).toThrow('The node needs 11 GiB of disk. The machine has 10 for nodes');
  });

  it('never refuses a node that exists, and counts a node once', () => {
    const capacity = new Capacity(size(100, 10));
    capacity.count(1, size(400));

    expect(() => capacity.claim(1, size(400))).not.toThrow();
    expect(() => capacity.claim(2, size(1))).toThrow('other nodes use 400');
  });
});
