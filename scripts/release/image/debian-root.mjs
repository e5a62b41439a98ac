// The root file system of the image: packages of Debian, and the official build of Node.js. No package is installed: no script of a package
// runs, so the same packages become the same files, and no root is needed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadPackage, PackageUnavailable } from '../../debian-package.mjs';
import { ReleaseRefused } from '../release-facts.mjs';

/** What Node.js, PostgreSQL and nats-server need, and a shell with small programs for operators. */
const PACKAGES = [
  ...[
    'base-files',
    'ca-certificates',
    'libc6',
    'libgcc-s1',
    'libstdc++6',
    'gcc-12-base',
    'libatomic1',
    'tini',
    'nats-server',
  ],
  ...['dash', 'coreutils', 'libacl1', 'libattr1', 'libgmp10', 'libselinux1', 'libpcre2-8-0'],
];
/** The folders that are links into /usr since Debian 12. */
const MERGED = ['bin', 'sbin', 'lib', 'lib64'];
/** The texts of licences stay in usr/share/doc. */
const LEFT_OUT = [
  './usr/share/man',
  './usr/share/locale',
  './usr/share/lintian',
  './usr/share/bug',
  './etc/init.d',
  './etc/systemd',
  './usr/lib/systemd',
];
const NODE = JSON.parse(readFileSync(join(import.meta.dirname, 'node.json'), 'utf8'));
/** The user of every process in the image. A fixed id: the files of a volume keep their owner in a new image. */
export const USER = { id: 10001, name: 'landlord' };

/** Writes the root file system into `root`. Returns its parts for sbomOf. @throws ReleaseRefused */
export function makeRoot(root, work) {
  for (const name of MERGED) {
    mkdirSync(join(root, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  const parts = PACKAGES.map((name) => unpack(name, root, work));
  trustAuthorities(root);
  addUser(root);
  mkdirSync(join(root, 'tmp'), { recursive: true });
  return [...parts, addNode(root, work)];
}

function unpack(name, root, work) {
  const folder = mkdtempSync(join(work, 'package-'));
  try {
    const { file, version, architecture } = downloadPackage(name, folder);
    const files = execFileSync('dpkg-deb', ['--fsys-tarfile', file], { maxBuffer: 1024 * 1024 * 1024 });
    const without = LEFT_OUT.map((path) => `--exclude=${path}`);
    // No owner: every file of the layer belongs to root. No bit that changes the user.
    const options = [
      '-x',
      '--keep-directory-symlink',
      '--no-same-owner',
      '--no-same-permissions',
      ...without,
      '-C',
      root,
    ];
    execFileSync('tar', options, { input: files });
    return { name, version, purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}` };
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    throw new ReleaseRefused(`The image needs packages of Debian. ${error.message}`);
  }
}

/** What the script of the package does: all authorities of Mozilla in one file. */
function trustAuthorities(root) {
  const folder = join(root, 'usr/share/ca-certificates/mozilla');
  const texts = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
  mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true });
  writeFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), `${texts.join('\n')}\n`);
}

function addUser(root) {
  const { id, name } = USER;
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0:root:/root:/bin/sh\n${name}:x:${id}:${id}::/data:/bin/sh\n`);
  writeFileSync(join(root, 'etc/group'), `root:x:0:\n${name}:x:${id}:\n`);
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
}

/** The build of Node.js that npm distributes, with the sum of node.json. */
function addNode(root, work) {
  const { release, license, integrity } = NODE;
  const name = `node-linux-${process.arch}`;
  const folder = mkdtempSync(join(work, 'node-'));
  execFileSync('npm', ['pack', `${name}@${release}`, '--silent', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [file] = readdirSync(folder);
  const sum = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, file)))
    .digest('base64')}`;
  if (sum !== integrity[process.arch])
    throw new ReleaseRefused(
      `${name} ${release} from npm has the sum ${sum}, and scripts/release/image/node.json another one.`,
    );
  execFileSync('tar', [
    '-xzf',
    join(folder, file),
    '-C',
    folder,
    '--no-same-owner',
    'package/bin/node',
    'package/LICENSE',
  ]);
  cpSync(join(folder, 'package/bin/node'), join(root, 'usr/bin/node'));
  mkdirSync(join(root, 'usr/share/doc/node'), { recursive: true });
  cpSync(join(folder, 'package/LICENSE'), join(root, 'usr/share/doc/node/copyright'));
  rmSync(folder, { recursive: true });
  return { name, version: release, license };
}
