import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErrorOutput } from './error-output.js';
import { Upkeep } from './upkeep.js';

describe('The periodic work of the launcher', () => {
  it('reports a failure once, until the work succeeds again', () => {
    const lines: string[] = [];
    const upkeep = new Upkeep({ say: () => undefined, complain: (line) => lines.push(line) });
    const fails = (reason: string) => () => {
      throw new Error(reason);
    };

    for (const work of [fails('ENOSPC'), fails('ENOSPC'), fails('EIO'), () => undefined, fails('ENOSPC')])
      upkeep.run('the log of main-api', work);

    expect(lines).toEqual(
      ['ENOSPC', 'EIO', 'ENOSPC'].map(
        (reason) => `the log of main-api: ${reason}. Landlord continues and tries again.`,
      ),
    );
  });
});

describe('The error output of an app', () => {
  it.each(['in its log', 'nowhere else, on a full disk'])('is in memory, and %s', async (where) => {
    const directory = mkdtempSync(join(tmpdir(), 'landlord-errors-'));
    const log = where === 'in its log' ? join(directory, 'log') : '/dev/full';
    const child = spawn(process.execPath, ['-e', 'console.error("x".repeat(200_000)); throw new Error("the reason")'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const output = new ErrorOutput(child.stderr, log);
    await once(child, 'exit');
    await output.end();

    expect(output.text).toContain('Error: the reason');
    expect(output.text.length).toBe(64 * 1024);
    if (where === 'in its log') expect(readFileSync(log, 'utf8')).toMatch(/^x{200000}\n[\s\S]*Error: the reason/);
    rmSync(directory, { recursive: true });
  });
});
