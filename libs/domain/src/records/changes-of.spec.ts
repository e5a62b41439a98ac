import { changesOf } from './changes-of.js';

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
