import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { DomainError } from '@libs/domain';
import { z } from 'zod';

/** What docs/decisions/0106-jest-runs-the-tests-in-the-realm-of-node.md promises. */
describe('A test', () => {
  it('runs in the realm of Node and of the packages', async () => {
    const error: unknown = await readFile('/there/is/none').catch((reason: unknown) => reason);
    const refusal = z.string().safeParse(1).error;

    expect([error instanceof Error, refusal instanceof Error, Buffer.of(1) instanceof Uint8Array]).toEqual([
      ...[true, true, true],
    ]);
  });

  it('starts programs without the flags of Jest', async () => {
    const program = join(mkdtempSync(join(tmpdir(), 'landlord-flags-')), 'program.cjs');
    writeFileSync(program, `process.send([process.execArgv, process.env.NODE_OPTIONS ?? ''])`);
    const flags = await new Promise((resolve) => fork(program).once('message', resolve));
    rmSync(dirname(program), { recursive: true });

    expect(flags).toEqual([[], '']);
  });

  it('mocks no module', () => {
    expect(() => jest.mock('node:fs', () => ({}))).toThrow('mock no modules');
    expect(() => jest.unstable_mockModule('@libs/domain', () => ({}))).toThrow('mock no modules');
  });

  it('has its own spies, timers and environment, also in modules that other files use', async () => {
    const { setVariables, stopClock } = await import('@libs/testing/basics');
    setVariables({ LANDLORD_OF_THIS_TEST: 'yes' });
    stopClock(0);

    expect([process.env['LANDLORD_OF_THIS_TEST'], Date.now()]).toEqual(['yes', 0]);
    jest.restoreAllMocks();
    jest.useRealTimers();
    expect(process.env['LANDLORD_OF_THIS_TEST']).toBeUndefined();
    expect(Date.now()).toBeGreaterThan(0);
  });

  it('shows the lines of the source', () => {
    const { stack = '' } = new DomainError('tenant_not_found', 'No.');

    expect(stack).toMatch(/test\/architecture\/programs\/jest\.spec\.ts:\d+:\d+/);
  });
});
