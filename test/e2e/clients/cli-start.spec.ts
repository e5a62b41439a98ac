import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCloud } from '@libs/testing';
import { bundleCli } from '../../../scripts/clients/bundle-cli.mjs';

const TRIES = 3;
/** Prints the CPU time of the process, in milliseconds, as the last line of stderr. */
const WATCH = `process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error((user + system) / 1000); });`;

describe('The command line without the server', () => {
  let folder: string;
  let cloud: TestCloud;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'landlord-cli-'));
    [cloud] = await Promise.all([TestCloud.borrow(), bundleCli(folder)]);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await cloud.stop();
  });

  /** The CPU time of a program in milliseconds, and what it printed. */
  function run(...words: string[]): { cpuMs: number; stdout: string } {
    const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', watch, ...words], {
      encoding: 'utf8',
      cwd: folder,
      env: {
        HOME: folder,
        LANDLORD_URL: cloud.mainApi.url,
        LANDLORD_API_KEY: cloud.key,
        LANDLORD_TENANT_ID: String(cloud.installation.tenant_id),
      },
    });
    expect(status, stderr).toBe(0);
    return { cpuMs: Number(stderr.trim().split('\n').at(-1)), stdout };
  }
  /** The smallest of some ratios to an empty program: other work on the machine only makes a ratio larger. */
  function ratio(...words: string[]): number {
    const ratios = Array.from({ length: TRIES }, () => run(...words).cpuMs / run('-e', '0').cpuMs);
    return Math.min(...ratios);
  }

  it('starts with little CPU time, and reads with little more', () => {
    const landlord = join(folder, 'main.js');
    expect(run(landlord, '--help').stdout).toContain('Commands for users:');
    expect(run(landlord, '--help').stdout).not.toContain('Commands for operators:');
    expect(run(landlord, 'divisions', 'list').stdout).toMatch(/^ID\s+NAME/);

    expect(ratio(landlord, '--help')).toBeLessThan(2);
    expect(ratio(landlord, 'divisions', 'list')).toBeLessThan(3);
  });
});
