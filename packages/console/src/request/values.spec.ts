import { shapeOf } from './find-shape.js';
import { inputOf, missingOf, ValueError, valuesOf } from './values.js';

const { members: ADDRESS } = shapeOf('billing.setInfo');
const { members: CHANNEL } = shapeOf('channels.update');
const { members: RULE } = shapeOf('accessRules.create');
const { members: SCHEDULE } = shapeOf('backupSchedules.put');
const { members: VERSION } = shapeOf('configs.create');

describe('The input of a form', () => {
  it('has what a person gave, in the shape of the API', () => {
    const input = inputOf(RULE, {
      ...{ name: '  office ', cidr_blocks: '203.0.113.0/24\n198.51.100.7/32, 192.0.2.1/32\n' },
      ...{ 'rules.broker_tcp': true, 'rules.broker_udp': false, remarks: '' },
    });

    expect(input).toEqual({
      ...{ name: 'office', cidr_blocks: ['203.0.113.0/24', '198.51.100.7/32', '192.0.2.1/32'] },
      rules: { broker_tcp: true, broker_udp: false },
    });
  });

  it('has only what differs from the record, and null for an emptied field', () => {
    const record = { company: 'Ants', tax_id: 'DE1', address: { line_1: 'Way 1', city: 'Ulm' } };
    const first = valuesOf(ADDRESS, record);

    expect(inputOf(ADDRESS, first, first)).toEqual({});
    expect(inputOf(ADDRESS, { ...first, tax_id: '', 'address.city': 'Bern' }, first)).toEqual({
      ...{ tax_id: null, address: { line_1: 'Way 1', city: 'Bern' } },
    });
  });

  it('leaves an emptied member out of an object, which the API replaces whole, and empties an object without members', () => {
    const record = { settings: { webhook: { headers: { a: '********' } } }, name: 'hook' };
    const first = valuesOf(CHANNEL, record);

    expect(inputOf(CHANNEL, { ...first, 'settings.webhook.headers': '' }, first)).toEqual({ settings: null });
    const slack = valuesOf(CHANNEL, { settings: { slack: { channel: '#one', username: 'Ant' } } });
    expect(inputOf(CHANNEL, { ...slack, 'settings.slack.username': '' }, slack)).toEqual({
      settings: { slack: { channel: '#one' } },
    });
  });

  it('has numbers as numbers, and names the member whose text is none', () => {
    expect(inputOf(SCHEDULE, { keep: '7', every_hours: '24' })).toEqual({ keep: 7, every_hours: 24 });
    expect(() => inputOf(SCHEDULE, { keep: 'seven' })).toThrow(expect.objectContaining({ member: 'keep' }));
    expect(() => inputOf(SCHEDULE, { keep: '99999999999999999999' })).toThrow(ValueError);
    expect(() => inputOf(VERSION, { values: '{' })).toThrow(expect.objectContaining({ member: 'values' }));
  });

  it('names the required members without a value', () => {
    expect(missingOf(RULE, { name: 'office', cidr_blocks: '' }).map(({ member }) => member)).toEqual(['cidr_blocks']);
  });
});
