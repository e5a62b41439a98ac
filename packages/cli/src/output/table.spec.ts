import { jest } from '@jest/globals';
import { logLine } from '../commands/logs-stream.js';
import { tell } from './output.js';
import { cell, table } from './table.js';

/** Erases the screen, in two spellings, and turns the direction of a line. */
const ATTACK = '\u001b[2J\u009b2J\u202E';
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

describe('What other users have written', () => {
  it('moves no cursor in a table: in values, lists of texts, objects and names of members', () => {
    const item = { name: ATTACK, list: [ATTACK, 'b'], [`key${ATTACK}`]: 1, inner: { [ATTACK]: ATTACK } };

    for (const shown of [table(item), table([item]), table({ list: [{ name: ATTACK }] }), cell([ATTACK])])
      expect(shown).not.toMatch(CONTROL);
    expect(cell(['a', 'b'])).toBe('a, b');
    expect(cell({ a: 1 })).toBe('{"a":1}');
  });

  it('moves no cursor in a line of a log', () => {
    const line = { id: 1, at: '2026-11-26T10:00:00.000Z', node_id: 7, runtime: 'broker', level: 'warn' } as const;

    expect(logLine({ ...line, message: `refused ${ATTACK}\nforged` })).toMatch(
      /^2026\S+ warn {2}7 broker: refused .*forged$/,
    );
    expect(logLine({ ...line, message: ATTACK })).not.toMatch(CONTROL);
  });

  it('moves no cursor in a message', () => {
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    tell(`There are several: ${ATTACK}\nsecond line`);
    const [[shown] = []] = written.mock.calls;
    written.mockRestore();

    expect(shown).toMatch(/^There are several: .*\nsecond line\n$/);
    expect(shown).not.toMatch(CONTROL);
  });
});

describe('A deployment without its Supervisor', () => {
  const of = (isReachable: boolean) => ({
    ...{ id: 1, code: 'a', a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, name: 'orders', status: 'initialized' },
    supervisor_reachable: isReachable,
  });

  it('has a column behind the status, and a line, and no other one has', () => {
    expect(table([of(true), of(false)]).split('\n')[0]).toMatch(/^ID +NAME +STATUS +SUPERVISOR_REACHABLE +CODE/);
    expect(table([of(true), of(false)])).toMatch(/initialized +false/);
    expect(table(of(false))).toMatch(/^supervisor_reachable {2}false$/m);
    for (const shown of [table([of(true)]), table(of(true))]) expect(shown.toLowerCase()).not.toContain('supervisor');
  });
});
