import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCloud } from '@libs/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
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

  const environment = (): Record<string, string> => ({
    ...{ HOME: folder, LANDLORD_URL: cloud.mainApi.url, LANDLORD_API_KEY: cloud.key },
    LANDLORD_TENANT_ID: String(cloud.installation.tenant_id),
  });

  /** What the bundle prints, far away from any installed package. */
  function run(...words: string[]): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'main.js'), ...words], {
      encoding: 'utf8',
      cwd: folder,
      env: environment(),
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

  it('serves tools for a model, with code that no other command loads', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const main = { command: process.execPath, args: [join(folder, 'main.js'), 'mcp'], cwd: folder };
    await client.connect(new StdioClientTransport({ ...main, env: environment(), stderr: 'ignore' }));
    const { structuredContent } = await client.callTool({ name: 'tree' });
    await client.close();

    expect(structuredContent).toMatchObject({ data: { tenant: { id: cloud.installation.tenant_id } } });
    const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
    const ofTheProtocol = readdirSync(folder).filter((file) => text(file).includes('notifications/initialized'));
    expect(ofTheProtocol).toEqual([expect.stringMatching(/^landlord-mcp-/)]);
    const chunks = [...text('main.js').matchAll(/from"\.\/([^"]+)"/g)].map(([, file]) => file);
    expect(chunks).not.toContain(ofTheProtocol[0]);
  });
});
