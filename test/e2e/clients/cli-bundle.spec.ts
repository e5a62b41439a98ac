import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCloud } from '@libs/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { bundleCli } from '../../../scripts/clients/bundle-cli.mjs';

const TRIES = 15;
/** Prints the CPU time of the process in milliseconds, as the last line of stderr, and writes the names of the loaded files. */
const METER = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  console.error((user + system) / 1000);
  require('node:fs').writeFileSync('loaded.json', JSON.stringify(Object.keys(require.cache)));
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

  const environment = (): Record<string, string> => ({
    ...{ HOME: folder, LANDLORD_URL: cloud.mainApi.url, LANDLORD_API_KEY: cloud.key },
    LANDLORD_TENANT_ID: String(cloud.installation.tenant_id),
  });

  /** Runs a program far away from any installed package. */
  function start(...words: string[]): { stdout: string; cpuMs: number } {
    const program = ['--require', './meter.cjs', ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, {
      encoding: 'utf8',
      cwd: folder,
      env: environment(),
    });
    expect([stderr, status]).toEqual([stderr, 0]);
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
    expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run('divisions', 'list')).toMatch(/^ID\s+NAME/);
    expect(run('divisions', 'list', '-o', 'yaml')).toMatch(/^- id: \d+$/m);
  });

  it('starts with little CPU time, and reads with little more', () => {
    expect(ratioToEmpty('--help')).toBeLessThan(2);
    expect(ratioToEmpty('divisions', 'list')).toBeLessThan(3);
  });

  it('serves tools for a model, with code that no other command loads', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const main = { command: process.execPath, args: [join(folder, 'bin/main.js'), 'mcp'], cwd: folder };
    await client.connect(new StdioClientTransport({ ...main, env: environment(), stderr: 'ignore' }));
    const { structuredContent } = await client.callTool({ name: 'tree' });
    await client.close();

    expect(structuredContent).toMatchObject({ data: { tenant: { id: cloud.installation.tenant_id } } });
    const bin = join(folder, 'bin');
    const ofTheProtocol = readdirSync(bin).filter((file) =>
      readFileSync(join(bin, file), 'utf8').includes('notifications/initialized'),
    );
    expect(ofTheProtocol).toEqual([expect.stringMatching(/^landlord-mcp-/)]);
    run('divisions', 'list');
    const loaded = readFileSync(join(folder, 'loaded.json'), 'utf8');
    expect(loaded).toContain('main.js');
    expect(loaded).not.toContain(ofTheProtocol[0]);
  });
});
