import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skippedSuite } from '@libs/testing';
import { findTerraform, PROVIDER, run, type Ended } from '../clients/terraform-programs.js';
import { cloneTo, describeRelease, madeOnce, makeRelease } from './release.fixture.js';

const ADDRESS = 'registry.terraform.io/landlord/landlord';
const PATIENCE_MS = 20 * 60_000;
const COMMAND_MS = 120_000;
const PLATFORMS = ['linux_amd64', 'linux_arm64'];

const { terraform, missing } = await findTerraform();
const describeProvider: typeof describeRelease =
  missing === null
    ? describeRelease
    : (name) => skippedSuite(missing, 'Install Go, and allow its module proxy')(name, () => undefined);

describeProvider('The Terraform provider of a release', (release) => {
  const home = mkdtempSync(join(tmpdir(), 'landlord-terraform-mirror-'));
  const project = join(home, 'project');
  const mirror = join(home, 'mirror', ADDRESS);
  let folder: string;
  let version: string;
  beforeAll(async () => {
    folder = await madeOnce(release.commit, 'terraform', (clone) => makeRelease(clone, { only: 'terraform' }));
    [, version = ''] = /^terraform-provider-landlord_(.+)_SHA256SUMS$/m.exec(readdirSync(folder).join('\n')) ?? [];
    for (const path of [project, mirror]) mkdirSync(path, { recursive: true });
    for (const name of zips()) copyFileSync(join(folder, name), join(mirror, name));
    writeFileSync(join(project, 'main.tf'), configuration());
    // No `direct` block, so that Terraform asks no registry.
    const settings = `provider_installation {\n  filesystem_mirror { path = "${join(home, 'mirror')}" }\n}\n`;
    writeFileSync(join(home, 'terraform.rc'), settings);
  }, PATIENCE_MS);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const zips = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.zip'));
  const configuration = (): string => `terraform {
  required_providers {
    landlord = { source = "landlord/landlord", version = "${version}" }
  }
}
provider "landlord" {}
`;
  const terraformRuns = (...args: string[]): Promise<Ended> =>
    run([terraform ?? '', ...args], {
      cwd: project,
      env: { TF_CLI_CONFIG_FILE: join(home, 'terraform.rc'), CHECKPOINT_DISABLE: '1', HOME: home },
      timeoutMs: COMMAND_MS,
    });

  it('has the files that a registry takes, and their sums', () => {
    const title = `terraform-provider-landlord_${version}`;
    const sums = readFileSync(join(folder, `${title}_SHA256SUMS`), 'utf8');
    const { status } = spawnSync('sha256sum', ['--check', '--strict', `${title}_SHA256SUMS`], { cwd: folder });

    expect(zips()).toEqual(PLATFORMS.map((platform) => `${title}_${platform}.zip`));
    expect(sums.match(/ {2}\S+$/gm)?.map((name) => name.trim())).toEqual([...zips(), `${title}_manifest.json`]);
    expect(status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, `${title}_manifest.json`), 'utf8'))).toEqual({
      version: 1,
      metadata: { protocol_versions: ['6.0'] },
    });
  });

  it(
    'has the same bytes in another folder, with another umask and time zone',
    async () => {
      const clone = join(home, 'in a longer path', 'clone');
      await cloneTo(clone, release.commit);
      const other = await makeRelease(clone, { only: 'terraform', env: { TZ: 'Asia/Kathmandu' }, umask: '077' });
      const sumsIn = (place: string): string => readFileSync(join(place, 'SHA256SUMS'), 'utf8');

      expect(sumsIn(other)).toBe(sumsIn(folder));
      expect(sumsIn(other).trim().split('\n')).toHaveLength(PLATFORMS.length + 3);
    },
    PATIENCE_MS,
  );

  it('is installed by terraform init from a folder, runs, and has each resource', async () => {
    const begin = performance.now();
    const { code, output } = await terraformRuns('init');
    console.log(`${((performance.now() - begin) / 1000).toFixed(1)} s for terraform init`);
    expect([output, code]).toEqual([expect.stringContaining(`Installed landlord/landlord v${version}`), 0]);
    const schema = await terraformRuns('providers', 'schema', '-json');
    const committed = readFileSync(join(PROVIDER, 'schema.json'), 'utf8');
    const resourcesIn = (text: string): string[] => {
      const { provider_schemas } = JSON.parse(text) as {
        provider_schemas: Record<string, { resource_schemas: object }>;
      };
      const schemas = Object.values(provider_schemas);
      expect(schemas).toHaveLength(1);
      return Object.keys(schemas[0]?.resource_schemas ?? {}).sort();
    };

    expect(schema.output).toContain(`"${ADDRESS}"`);
    expect(resourcesIn(schema.output).length).toBeGreaterThan(10);
    expect(resourcesIn(schema.output)).toEqual(resourcesIn(committed));
  });

  it('is refused by terraform init when its zip has changed since the lock file', async () => {
    expect((await terraformRuns('init')).code).toBe(0);
    rmSync(join(project, '.terraform'), { recursive: true });
    // The program of another platform below the name of this one.
    const [archive, other] = ['amd64', 'arm64'].map(
      (name) => `terraform-provider-landlord_${version}_linux_${name}.zip`,
    );
    copyFileSync(join(folder, other ?? ''), join(mirror, archive ?? ''));

    const { code, output } = await terraformRuns('init');

    expect(code).not.toBe(0);
    expect(output).toContain('checksum');
    copyFileSync(join(folder, archive ?? ''), join(mirror, archive ?? ''));
    expect((await terraformRuns('init')).code).toBe(0);
  });
});
