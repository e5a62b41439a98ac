import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCloud } from '@libs/testing';
import { bundleCli } from '../../../scripts/clients/bundle-cli.mjs';

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

  /** What the bundle prints, far away from any installed package. */
  function run(...words: string[]): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'main.js'), ...words], {
      encoding: 'utf8',
      cwd: folder,
      env: {
        ...{ HOME: folder, LANDLORD_URL: cloud.mainApi.url, LANDLORD_API_KEY: cloud.key },
        LANDLORD_TENANT_ID: String(cloud.installation.tenant_id),
      },
    });
    expect(status, stderr).toBe(0);
    return stdout;
  }

  it('has the commands for users, and no other', () => {
    expect(run('--help')).toContain('Commands for users:');
    expect(run('--help')).not.toContain('Commands for operators:');
    expect(run('divisions', 'list')).toMatch(/^ID\s+NAME/);
    expect(run('divisions', 'list', '-o', 'yaml')).toMatch(/^- id: \d+$/m);
  });
});
