// Artifacts from archives that the operator has: Node.js, nats-server and iggy-server. Nothing is downloaded.
import { basename } from 'node:path';
import { list } from 'tar';

/** What an archive of each name must contain, relative to its top folder or at its top. */
export const PROGRAMS = { node: 'bin/node', nats: 'nats-server', iggy: 'iggy-server' };
const ARCHITECTURES = { x64: /x64|amd64|x86_64/, arm64: /arm64|aarch64/ };
const VERSION = /(?:^|[-_v])(\d+\.\d+\.\d+(?:-(?:rc|edge|preview)\.?\d+)?)/;

/** The message says what is wrong and what to do. */
export class ArtifactRefused extends Error {
  name = 'ArtifactRefused';
}

/** The artifact that an archive becomes. Throws ArtifactRefused. */
export function describeArchive(name, file) {
  const title = basename(file);
  if (!/\.(tar\.gz|tgz)$/.test(title)) throw new ArtifactRefused(`${title}: give an archive that ends with .tar.gz.`);
  const architectures = Object.keys(ARCHITECTURES).filter((arch) => ARCHITECTURES[arch].test(title));
  const version = VERSION.exec(title)?.[1];
  if (architectures.length !== 1 || version === undefined || /darwin|macos|win-|windows/i.test(title))
    throw new ArtifactRefused(
      `${title}: the name must contain the release and the processor for Linux, like ${name}-1.2.3-linux-arm64.tar.gz.`,
    );
  return { name, platform: 'linux', arch: architectures[0], version, entry: programIn(name, file), over: null };
}

/** The path of the program in the archive. */
function programIn(name, file) {
  const paths = pathsIn(file);
  const escaping = paths.find((path) => path.startsWith('/') || path.split('/').includes('..'));
  if (escaping !== undefined)
    throw new ArtifactRefused(`${basename(file)}: the path ${escaping} leaves the folder of the archive.`);
  const program = PROGRAMS[name];
  const entry = paths.find((path) => path === program || path.replace(/^[^/]+\//, '') === program);
  if (entry === undefined) throw new ArtifactRefused(`${basename(file)}: the archive does not contain ${program}.`);
  return entry;
}

function pathsIn(file) {
  const paths = [];
  try {
    list({ file, sync: true, strict: true, onReadEntry: ({ path }) => paths.push(path.replace(/^\.\//, '')) });
  } catch (error) {
    throw new ArtifactRefused(`${basename(file)}: the archive cannot be read: ${error.message}.`);
  }
  return paths;
}
