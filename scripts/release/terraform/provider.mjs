// The Terraform provider as registries and mirrors keep it: a zip for each platform, a manifest, the sums, and with RELEASE_GPG_KEY their signature.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../build-stamp.mjs';
import { ReleaseRefused } from '../release-facts.mjs';
import { modulesOf, writeModuleLicences } from './go-modules.mjs';
import { writeZip } from './zip.mjs';

const SOURCE = join(ROOT, 'packages/terraform-provider-landlord');
const NAME = 'terraform-provider-landlord';
/** As Go and the registry name them. */
const PLATFORMS = ['linux_amd64', 'linux_arm64'];
/** Version 6 of the protocol between Terraform and a provider. */
const MANIFEST = { version: 1, metadata: { protocol_versions: ['6.0'] } };
/** Nothing of this machine changes the program: no other toolchain, no workspace, no C. */
const ENV = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '', GOWORK: 'off', GOAMD64: 'v1', GOARM64: 'v8.0' };

export const TERRAFORM = { name: 'terraform', make };

async function make({ facts, work, target }) {
  const { version, scope, time } = facts;
  const reason = withoutModules();
  if (reason !== null) {
    console.log(`The release has no Terraform provider: ${reason}`);
    return [];
  }
  mkdirSync(work, { recursive: true });
  const title = `${NAME}_${version}`;
  const programs = PLATFORMS.map((platform) => ({ platform, ...build(platform, version, work) }));
  const inside = modulesOf(
    programs.map(({ path }) => path),
    SOURCE,
  );
  const licences = join(work, 'THIRD-PARTY-LICENSES');
  writeModuleLicences(licences, inside);
  const files = [];
  for (const { platform, path, name } of programs) {
    const content = [
      { path, name, mode: 0o100755 },
      { path: join(ROOT, 'LICENSE'), name: 'LICENSE', mode: 0o100644 },
      { path: licences, name: 'THIRD-PARTY-LICENSES', mode: 0o100644 },
    ];
    files.push(`${title}_${platform}.zip`);
    await writeZip(join(target, files.at(-1)), content, time);
  }
  files.push(`${title}_manifest.json`);
  writeFileSync(join(target, files.at(-1)), `${JSON.stringify(MANIFEST, null, 2)}\n`);
  writeSums(target, `${title}_SHA256SUMS`, files.sort());
  return [{ title, name: `${scope}/${NAME}`, inside, outside: { packages: {} } }];
}

/** Why the provider cannot be built here, and what to do. Null: it can. */
function withoutModules() {
  if (spawnSync('go', ['version']).status !== 0) return 'there is no Go in PATH. Install Go 1.26.';
  const { status, stderr } = spawnSync('go', ['mod', 'download'], { cwd: SOURCE, encoding: 'utf8' });
  if (status === 0) return null;
  return `go mod download failed (${stderr.trim().split('\n').at(-1)}). It needs the Go module proxy.`;
}

function build(platform, version, work) {
  const [GOOS, GOARCH] = platform.split('_');
  const name = `${NAME}_v${version}${GOOS === 'windows' ? '.exe' : ''}`;
  const path = join(work, platform, name);
  const flags = `-s -w -buildid= -X main.version=${version}`;
  const args = ['build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', flags, '-o', path, '.'];
  execFileSync('go', args, { cwd: SOURCE, env: { ...process.env, ...ENV, GOOS, GOARCH }, stdio: 'inherit' });
  return { name, path };
}

function writeSums(target, name, files) {
  const sumOf = (file) =>
    createHash('sha256')
      .update(readFileSync(join(target, file)))
      .digest('hex');
  const path = join(target, name);
  writeFileSync(path, files.map((file) => `${sumOf(file)}  ${file}\n`).join(''));
  const key = process.env.RELEASE_GPG_KEY;
  if (!key) return;
  // Registries accept only signatures of OpenPGP, in their binary form.
  const args = ['--batch', '--yes', '--local-user', key, '--output', `${path}.sig`, '--detach-sign', path];
  const { status, error, stderr } = spawnSync('gpg', args, { encoding: 'utf8' });
  if (status !== 0)
    throw new ReleaseRefused(
      `gpg cannot sign with the key ${key}: ${(error?.message ?? stderr).trim()}. Set RELEASE_GPG_KEY to a key that gpg lists as secret.`,
    );
}
