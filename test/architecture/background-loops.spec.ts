import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources/sources.js';

/** The loop that starts the scheduled jobs when they are due. */
const SCHEDULER = 'JobScheduler';

interface Loop {
  name: string;
  kind: string;
}

/** `npm run golden -- --check` compares the file with the classes. */
const loops = readFileSync(join(ROOT, 'contract/background-loops.txt'), 'utf8')
  .trim()
  .split('\n\n')
  .map((entry): Loop => {
    const [name = '', period = ''] = entry.split('\n');
    return { name, kind: period.trim().split(',')[0] ?? '' };
  });

describe('The background loops', () => {
  it('are named …Reconciler if they run continuously and …Job if they run once per period', () => {
    const suffixes: Record<string, string> = { continuous: 'Reconciler', scheduled: 'Job' };
    const misnamed = loops.filter(({ name, kind }) => name !== SCHEDULER && !name.endsWith(suffixes[kind] ?? '?'));

    expect(loops.length).toBeGreaterThan(20);
    expect(misnamed).toEqual([]);
  });
});
