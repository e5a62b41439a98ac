import { restored } from './config-values.js';
import { fitted } from './results.js';

const STORED = {
  http: { origin: 'http://user:p1@example.com', note: 'x'.repeat(3_000), port: 80 },
  tls: { password: '********' },
  list: ['token=p2', 'b'],
};

describe('The values of a configuration that a model sends back', () => {
  it('are the stored ones where the model has seen a mask or a cut text', () => {
    const shown = fitted({}, STORED);
    expect(JSON.stringify(shown)).not.toMatch(/p1|p2|x{2500}/);

    expect(restored(shown, STORED)).toEqual(STORED);
    const changed = structuredClone(shown) as typeof STORED;
    changed.http.port = 81;
    expect(restored(changed, STORED)).toEqual({ ...STORED, http: { ...STORED.http, port: 81 } });
  });

  it('never get the mark of a cut text', () => {
    const stored = { note: 'x'.repeat(3_000), list: ['y'.repeat(3_000)], short: 'wait…' };
    const shown = fitted({}, stored) as typeof stored;

    expect(() => restored({ note: `z${shown.note.slice(100)}` }, stored)).toThrow(/ends with "…"/);
    expect(() => restored({ other: shown.note }, stored)).toThrow(/ends with "…"/);
    expect(() => restored({ list: [...shown.list, 'more'] }, stored)).toThrow(/ends with "…"/);
    expect(restored({ short: 'wait more…', new: 'a…' }, stored)).toEqual({ short: 'wait more…', new: 'a…' });
    expect(restored({ note: 'z', list: ['whole'] }, stored)).toEqual({ note: 'z', list: ['whole'] });
  });

  it('never get a value of another member', () => {
    const shown = fitted({}, STORED) as typeof STORED;

    expect(() => restored({ http: { other: shown.http.origin } }, STORED)).toThrow(/part of a mask/);
    expect(restored({ tls: { password: 'new' }, more: 1 }, STORED)).toEqual({ tls: { password: 'new' }, more: 1 });
    expect(restored({ tls: { other: '********' } }, STORED)).toEqual({ tls: { other: '********' } });
  });
});
