import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCloud } from '@libs/testing';
import { bundleCli } from '../../../scripts/clients/bundle-cli.mjs';

const TRIES = 3;
/** Prints the CPU time of the process in milliseconds, as the last line of stderr. */
const METER = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  console.error((user + system) / 1000);
});`;

describe('The command line without the server', () => {
  let folder: string;
  let cloud: TestCloud;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'landlord-cli-'));
    [cloud] = await Promise.all([TestCloud.borrow(), bundleCli(join(folder, 'bin'))]);
    writeFileSync(join(folder, 'meter.cjs'), METER);
    writeFileSync(join(folder, 'empty.cjs'), '');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await cloud.stop();
  });

  /** Runs a program far away from any installed package. */
  function start(...words: string[]): { stdout: string; cpuMs: number } {
    const program = ['--require', './meter.cjs', ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, {
      encoding: 'utf8',
      cwd: folder,
      env: {
        ...{ HOME: folder, LANDLORD_URL: cloud.mainApi.url, LANDLORD_API_KEY: cloud.key },
        LANDLORD_TENANT_ID: String(cloud.installation.tenant_id),
      },
    });
    expect(status, stderr).toBe(0);
    return { stdout, cpuMs: Number(stderr.trim().split('\n').at(-1)) };
  }
  const run = (...words: string[]): string => start('bin/main.js', ...words).stdout;

  /** The smallest of some ratios to an empty program: other work on the machine only makes a ratio larger. */
  function ratioToEmpty(...words: string[]): number {
    const ratios = Array.from({ length: TRIES }, () => {
      const { cpuMs } = start('empty.cjs');
      return start('bin/main.js', ...words).cpuMs / cpuMs;
    });
    return Math.min(...ratios);
  }

  it('has the commands for users, and no other', () => {
    expect(run('--help')).toContain('Commands for users:');
    expect(run('--help')).not.toContain('Commands for operators:');
    expect(run('divisions', 'list')).toMatch(/^ID\s+NAME/);
    expect(run('divisions', 'list', '-o', 'yaml')).toMatch(/^- id: \d+$/m);
  });

  it('starts with little CPU time, and reads with little more', () => {
    expect(ratioToEmpty('--help')).toBeLessThan(2);
    expect(ratioToEmpty('divisions', 'list')).toBeLessThan(3);
  });
});
