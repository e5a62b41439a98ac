import { timeOfInstallation } from '../settings/clock.js';
import { ageOf, sizeOf } from './age.js';
import { table } from './table.js';
import { columnsOf } from './width.js';

const COLUMNS = [
  ...[{ member: 'id' }, { member: 'name' }, { member: 'rules' }, { member: 'status' }],
  ...[{ member: 'created_at', kind: 'time' } as const, { member: 'size_bytes', kind: 'size' } as const],
];
const NOW = timeOfInstallation();
const ITEM = {
  ...{ id: 7, secret_member: 'x', name: '東京チーム 🚀', status: 'initialized', size_bytes: 1_572_864 },
  rules: { broker_tcp: true, broker_http: false, broker_udp: true },
  created_at: new Date(NOW - 180_000).toISOString(),
};
const PLAIN = { ...ITEM, id: 8, name: 'orders' };

describe('A table', () => {
  it('has the columns of the list in their order, exact and uncut for a program', () => {
    const [head, first] = table([{ ...ITEM, name: 'n'.repeat(80) }], { columns: COLUMNS }).split('\n');

    expect(head).toMatch(/^ID {2}NAME +RULES +STATUS +CREATED_AT +SIZE_BYTES$/);
    expect(first).toContain('n'.repeat(80));
    expect(first).toContain('tcp, udp');
    expect(first).toContain(ITEM.created_at);
    expect(first).toMatch(/1572864$/);
  });

  it('has ages and sizes for a person, and every row begins its columns at the same place', () => {
    const created_at = new Date(timeOfInstallation() - 180_000).toISOString();
    const lines = table([{ ...ITEM, created_at }, PLAIN], { columns: COLUMNS, width: 120 }).split('\n');

    expect(lines[1]).toMatch(/3m ago +1\.5 MiB$/);
    const places = lines.map((line) => columnsOf(line.split(/STATUS|initialized/)[0] ?? ''));
    expect(new Set(places).size).toBe(1);
  });

  it.each([20, 40, 60, 80, 200])('fits into a terminal of %i columns', (width) => {
    const items = [ITEM, PLAIN, { ...PLAIN, name: 'long '.repeat(40) }];

    for (const line of table(items, { columns: COLUMNS, width }).split('\n'))
      expect(columnsOf(line)).toBeLessThanOrEqual(width);
  });

  it('leaves out the last columns before it cuts the first ones to nothing', () => {
    const [head] = table([PLAIN], { columns: COLUMNS, width: 40 }).split('\n');

    expect(head).toMatch(/^ID {2}NAME {4}RULES {5}STATUS$/);
  });

  it('has every member with -o wide', () => {
    const [head, first] = table([PLAIN], { columns: COLUMNS, isWide: true }).split('\n');

    expect(head).toMatch(/SIZE_BYTES +SECRET_MEMBER$/);
    expect(first).toContain(ITEM.created_at);
  });

  it('names a level by its name, and an unknown one by its id', () => {
    const columns = [{ member: 'deployment_id', kind: 'place' } as const];
    const nameOf = (_member: string, id: number) => (id === 1 ? 'orders' : undefined);

    expect(table([{ deployment_id: 1 }, { deployment_id: 2 }], { columns, nameOf })).toBe('DEPLOYMENT\norders\n2');
    expect(table([{ deployment_id: 1 }], { columns })).toBe('DEPLOYMENT_ID\n1');
  });
});

describe('An age', () => {
  it.each([
    [0, '0s ago'],
    [59_000, '59s ago'],
    [3_600_000, '1h ago'],
    [-7_200_000, 'in 2h'],
    [86_400_000 + 7_200_000, '1d2h ago'],
    [90 * 86_400_000, '90d ago'],
  ])('of %i milliseconds is %s', (ms, age) => {
    expect(ageOf(new Date(NOW - ms).toISOString(), NOW)).toBe(age);
  });

  it('of a text that is no time is the text', () => expect(ageOf('never', NOW)).toBe('never'));
});

it('A size has the unit that fits', () => {
  expect([0, 1023, 1024, 1_572_864, 5 * 2 ** 40].map(sizeOf)).toEqual(['0 B', '1023 B', '1 KiB', '1.5 MiB', '5 TiB']);
});
