// The packages of a release: those that npm installs beside the bundles, with their tree of the lockfile, and those in the bundles.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/**
 * The part of package-lock.json below these packages. `names` and `optional` are names of packages, an optional one also with `*` at its end.
 * Returns the exact versions for package.json, and the content of npm-shrinkwrap.json.
 */
export function lockOf(manifest, names, optional) {
  const { packages, lockfileVersion } = readJson('package-lock.json');
  const wanted = optional.flatMap((name) => expand(name, packages));
  const required = closure(names, packages, ({ dependencies = {} }) => Object.keys(dependencies));
  const all = closure([...names, ...wanted], packages, ({ dependencies = {}, optionalDependencies = {} }) => [
    ...Object.keys(dependencies),
    ...Object.keys(optionalDependencies),
  ]);
  const versions = (list) => Object.fromEntries(list.map((name) => [name, packages[`node_modules/${name}`].version]));
  const own = { ...manifest, dependencies: versions(names), optionalDependencies: versions(wanted) };
  const entries = [...all].sort().map((path) => [path, entry(packages[path], required.has(path))]);
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = own;
  const root = { name, version, license, dependencies, bin, engines, optionalDependencies };
  return {
    manifest: own,
    lock: {
      ...{ name, version, lockfileVersion, requires: true },
      packages: { '': root, ...Object.fromEntries(entries) },
    },
  };
}

const expand = (name, packages) =>
  name.endsWith('*')
    ? Object.keys(packages)
        .filter((path) => path.startsWith(`node_modules/${name.slice(0, -1)}`))
        .map((path) => path.slice('node_modules/'.length))
    : [name];

function closure(names, packages, needsOf) {
  const paths = new Set(names.map((name) => `node_modules/${name}`));
  for (const path of paths)
    for (const name of needsOf(packages[path])) {
      const place = placeOf(name, path, packages);
      // A package for another platform is not in the lockfile of npm.
      if (place !== null) paths.add(place);
    }
  return paths;
}

/** Where Node finds the package from this place. */
function placeOf(name, from, packages) {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, 'node_modules', name);
    if (path in packages) return path;
    if (folder === '.') return null;
  }
}

function entry({ dev, devOptional, peer, ...rest }, isRequired) {
  const { optional, ...plain } = rest;
  return isRequired ? plain : { ...plain, optional: true };
}

/** The packages whose files are among these sources: their path, name, version and licence. */
export function packagesOf(sources) {
  const folders = new Set(sources.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
  const { packages } = readJson('package-lock.json');
  return [...folders].sort().map((path) => {
    const { name, version, license } = { ...readJson(`${path}/package.json`), ...locked(packages[path]) };
    return { path, name, version, license: typeof license === 'string' ? license : 'SEE LICENSE IN LICENSE' };
  });
}

const locked = ({ version } = {}) => (version === undefined ? {} : { version });
