import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lostSteps } from '../../scripts/golden/lost-steps.mjs';
import { fileAt, previousRelease } from '../compat/previous-release.mjs';
import { ROOT } from './sources/sources.js';

const FILE = 'contract/workflow-steps.txt';
/**
 * Before the first tag every commit counts as a release. These steps were removed then, and no installation had them.
 */
const NEVER_RELEASED: string[] = [];

const release = previousRelease();
const before = release === null ? null : fileAt(release, FILE);
const itWithHistory = before === null ? it.skip : it;
const title =
  before === null
    ? 'has everything that it had before (skipped: git knows no earlier list here)'
    : `has everything that it had at ${release}, for operations may stand there`;

describe('the list of workflow steps', () => {
  itWithHistory(title, () => {
    const lost = lostSteps(before ?? '', readFileSync(join(ROOT, FILE), 'utf8'));

    expect(lost.filter((step) => !NEVER_RELEASED.includes(step))).toEqual([]);
  });
});

describe('the comparison of two lists of steps', () => {
  const list = [
    'w.first -> second | third, undone by undoing',
    'w.second -> third',
    'w.third (end)',
    'w.undoing (undo)',
  ];

  it.each([
    ['nothing, when it is the same', list, []],
    ['nothing, when steps and ways were added', [...list.with(2, 'w.third -> fourth'), 'w.fourth (end)'], []],
    ['nothing, when the workflows stand in another order', list.toReversed(), []],
    ['a step that was removed', list.toSpliced(1, 1), ['w.second']],
    ['an undo that was removed', list.toSpliced(3, 1), ['w.undoing']],
    ['a step that was renamed, and the ways to it', rename(list), ['w.first -> second', 'w.second']],
    ['a way that was removed', list.with(0, 'w.first -> third, undone by undoing'), ['w.first -> second']],
    ['all ways, when a step became an end', list.with(1, 'w.second (end)'), ['w.second -> third']],
  ])('finds %s', (_, after, lost) => {
    expect(lostSteps(text(list), text(after))).toEqual(lost);
  });

  it('finds a step whose name another workflow also has', () => {
    expect(lostSteps('one.go (end)\ntwo.go (end)\n', 'two.go (end)\n')).toEqual(['one.go']);
  });
});

const text = (rows: string[]): string => `${rows.join('\n')}\n`;

function rename(rows: string[]): string[] {
  return rows.map((row) => row.replace('second', 'runner_up'));
}
