import { ConnectorFault } from '../delivery/connector-fault.js';
import { transformsOf } from './transforms.js';

const apply = (configured: Record<string, unknown>, message: unknown): unknown =>
  JSON.parse(transformsOf(configured)(Buffer.from(JSON.stringify(message))).toString());

describe('transforms of JSON messages', () => {
  it('add fields with static and computed values', () => {
    const fields = [
      { key: 'from', value: { static: { city: 'Utrecht' } } },
      { key: 'at', value: { computed: 'timestamp_millis' } },
      { key: 'four', value: { computed: 'uuid_v4' } },
      { key: 'seven', value: { computed: 'uuid_v7' } },
      { key: '__proto__', value: { static: 'a field like any other' } },
    ];
    const before = Date.now();

    const message = apply({ add_fields: { enabled: true, fields } }, { a: 1 }) as Record<string, unknown>;

    expect(message).toMatchObject({ a: 1, from: { city: 'Utrecht' } });
    expect(message['at']).toBeGreaterThanOrEqual(before);
    expect(message['four']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(message['seven']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
    expect(Object.keys(message)).toContain('__proto__');
  });

  it('update fields that match their condition', () => {
    const fields = [
      { key: 'always', value: { static: 1 } },
      { key: 'there', value: { static: 2 }, condition: 'key_exists' },
      { key: 'missing', value: { static: 3 }, condition: 'key_exists' },
      { key: 'new', value: { static: 4 }, condition: 'key_not_exists' },
      { key: 'old', value: { static: 5 }, condition: 'key_not_exists' },
    ];
    expect(apply({ update_fields: { enabled: true, fields } }, { there: 0, old: 0 })).toEqual({
      ...{ there: 2, old: 0 },
      ...{ always: 1, new: 4 },
    });
  });

  it('delete fields', () => {
    expect(apply({ delete_fields: { enabled: true, fields: ['a', 'c'] } }, { a: 1, b: 2 })).toEqual({ b: 2 });
  });

  it.each([
    [{ keep_fields: ['name'] }, { name: 'n' }],
    [{ patterns: [{ key_pattern: { starts_with: 'a' } }] }, { age: 7, alias: null }],
    [{ patterns: [{ key_pattern: { regex: '^a' }, value_pattern: 'is_number' }] }, { age: 7 }],
    [{ patterns: [{ value_pattern: { between: [5, 9] } }] }, { age: 7 }],
    [{ patterns: [{ value_pattern: { equals: { x: [1] } } }] }, { deep: { x: [1] } }],
    [
      { patterns: [{ value_pattern: 'is_null' }], keep_fields: ['age'] },
      { age: 7, alias: null },
    ],
    [{ patterns: [{ key_pattern: { contains: 'e' } }], include_matching: false }, { alias: null }],
  ])('keep the fields that match %j', (settings, kept) => {
    const message = { name: 'n', age: 7, alias: null, deep: { x: [1] } };
    expect(apply({ filter_fields: { enabled: true, ...settings } }, message)).toEqual(kept);
  });

  it('run in their order, and skip disabled ones', () => {
    const added = { enabled: true, fields: [{ key: 'b', value: { static: 1 } }] };
    const deleted = { enabled: true, fields: ['b'] };

    expect(apply({ add_fields: added, delete_fields: deleted }, {})).toEqual({});
    expect(apply({ delete_fields: deleted, add_fields: added }, {})).toEqual({ b: 1 });
    expect(apply({ add_fields: { ...added, enabled: false } }, {})).toEqual({});
  });

  it('do not change payloads without fields', () => {
    const transform = transformsOf({ delete_fields: { enabled: true, fields: ['a'] } });
    for (const text of ['[{"a":1}]', '"a"', 'no JSON', '']) expect(transform(Buffer.from(text)).toString()).toBe(text);
  });

  it.each([
    [{ avro_convert: { enabled: true } }, /does not support the transform avro_convert/],
    [{ constructor: { enabled: true } }, /does not support the transform constructor/],
    [{ add_fields: { enabled: true, fields: [{ key: 'a', value: { computed: 'magic' } }] } }, /computed/],
    [{ add_fields: { enabled: true, fields: [{ value: { static: 1 } }] } }, /without a key/],
    [
      { update_fields: { enabled: true, fields: [{ key: 'a', value: { static: 1 }, condition: 'maybe' }] } },
      /condition/,
    ],
    [{ filter_fields: { enabled: true, patterns: [{ key_pattern: { regex: '(' } }] } }, /regular expression/],
    [{ filter_fields: { enabled: true, patterns: [{ value_pattern: 'is_odd' }] } }, /pattern/],
    [{ delete_fields: { enabled: true, fields: 'a' } }, /must be a list/],
  ])('are refused when they are invalid: %j', (configured, reason) => {
    expect(() => transformsOf(configured)).toThrow(ConnectorFault);
    expect(() => transformsOf(configured)).toThrow(reason);
  });
});
