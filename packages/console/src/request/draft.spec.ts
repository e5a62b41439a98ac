import { changedMeanwhile, drafted, NO_DRAFT, storable } from './draft.js';
import { shapeOf } from './find-shape.js';

const RECORD = { name: 'Ants', remarks: '' };

describe('The draft of a form', () => {
  it('has what differs from the record', () => {
    const typed = drafted(NO_DRAFT, { name: 'Bees' }, RECORD);

    expect(typed).toEqual({ typed: { name: 'Bees' }, before: { name: 'Ants' } });
    expect(drafted(typed, { name: 'Ants' }, RECORD)).toEqual(NO_DRAFT);
  });

  it('names what somebody else changed since', () => {
    const draft = drafted(NO_DRAFT, { name: 'Bees' }, RECORD);

    expect(changedMeanwhile(draft, RECORD)).toEqual({});
    expect(changedMeanwhile(draft, { ...RECORD, remarks: 'ours' })).toEqual({});
    expect(changedMeanwhile(draft, { ...RECORD, name: 'Bees' })).toEqual({});
    expect(changedMeanwhile(draft, { ...RECORD, name: 'Wasps' })).toEqual({ name: 'Wasps' });
  });

  it('accepts a change of somebody else when the person types again', () => {
    const now = { ...RECORD, name: 'Wasps' };
    const draft = drafted(drafted(NO_DRAFT, { name: 'Bees' }, RECORD), { name: 'Beetles' }, now);

    expect(changedMeanwhile(draft, now)).toEqual({});
  });

  it.each([
    ['channels.create', 'settings.webhook.headers'],
    ['channels.create', 'destination'],
    ['configs.create', 'values'],
    ['deployments.delete', 'code'],
    ['sessions.signIn', 'password'],
  ] as const)('of %s is stored without %s', (name, member) => {
    const { members } = shapeOf(name);
    const draft = drafted(NO_DRAFT, Object.fromEntries(members.map((one) => [one.member, 'open sesame'])), {});

    const { typed } = storable(members, draft);

    expect(draft.typed).toHaveProperty([member]);
    expect(typed).not.toHaveProperty([member]);
  });

  it('is stored with names', () => {
    const draft = drafted(NO_DRAFT, { name: 'Bees' }, {});

    expect(storable(shapeOf('channels.create').members, draft).typed).toEqual({ name: 'Bees' });
  });
});
