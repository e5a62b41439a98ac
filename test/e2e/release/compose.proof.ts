import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { noteSkip } from '@libs/testing';
import { ROOT } from './release.fixture.js';

const CHECK = join(ROOT, 'docker/check/check.mjs');
/** The exit code of the check where containers cannot run. Its last line says why. */
const UNAVAILABLE = 3;

describe('The Compose files, without a checkout beside the image', () => {
  it('run every service to a message through a broker in each region, and stop without leftovers', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK], { encoding: 'utf8' });
    const lines = `${stdout}${stderr}`.trim().split('\n');
    if (status === UNAVAILABLE)
      return noteSkip(`the Compose files (${lines.at(-1)})`, 'docs/testing.md says what they need');

    console.log(lines.filter((line) => /^(ok|FAILED) /.test(line)).join('\n'));
    expect([status, lines.filter((line) => line.startsWith('FAILED'))]).toEqual([0, []]);
    expect(lines.at(-1)).toBe('The containers work.');
  });
});
