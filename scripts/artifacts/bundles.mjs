// Bundles the programs of a node into one folder. The folder has a part for each artifact: the agent with the gates,
// the embedded broker, the store of the connectors, and each plugin of the connectors. The other parts lie over the part
// of the agent.
import { copyFileSync, cpSync, readdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join, posix } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../build-stamp.mjs';

const HOST = 'libs/host/src';
const PLUGINS = `${HOST}/connectors/plugins`;
/** Files that the agent starts by path, with their places beside the bundle of the agent. */
const AGENT = {
  'agent.main': 'libs/host/src/node/agent.main.ts',
  'machine.main': 'libs/host/src/machine/machine.main.ts',
  'nats-gate.main': `${HOST}/brokers/nats/nats-gate.main.ts`,
  'gate/iggy-gate.main': `${HOST}/brokers/iggy/gate/iggy-gate.main.ts`,
  'connectors.main': `${HOST}/connectors/connectors.main.ts`,
};
/** The store is also opened by the agent, when a backup gets the key of its new deployment. */
const EMBEDDED = {
  'embedded.main': `${HOST}/brokers/embedded/embedded.main.ts`,
  'reseal-data': `${HOST}/brokers/embedded/reseal-data.ts`,
};
const PAGE = `${HOST}/gate/ui/page`;
const NATIVE = 'classic-level.node';
/** Prebuilt modules of the package classic-level, for glibc. */
const PREBUILDS = { x64: 'linux-x64/classic-level.node', arm64: 'linux-arm64/classic-level.armv8.node' };

/** Packages with `require` of built-in modules need this function in a bundle of modules. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url);`;

/** The package looks for its module below node_modules. In a bundle the module lies beside the file. */
const nativeModule = {
  name: 'native-module',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]classic-level[\\/]binding\.js$/ }, () => ({
      contents: `module.exports = require('./${NATIVE}')`,
      loader: 'js',
    }));
    onResolve({ filter: /^\.\/classic-level\.node$/ }, ({ path }) => ({ path, external: true }));
  },
};

const isOwn = (importer) => !/[\\/]node_modules[\\/]/.test(importer);
const isPackage = (path) => !path.startsWith('@libs/') && !isBuiltin(path);

/**
 * A bundle of a CommonJS package that is imported on demand would export `default` alone. Node also exports the names that
 * it finds in the package, so the bundle exports the same names.
 */
export const namesOfPackages = {
  name: 'names-of-packages',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[\w@]/ }, ({ path, kind, importer, resolveDir }) =>
      kind === 'dynamic-import' && isOwn(importer) && isPackage(path)
        ? { path, namespace: 'package', pluginData: resolveDir }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'package' }, async ({ path, pluginData: resolveDir }) => {
      const names = Object.keys(await import(path)).filter((name) => /^[\w$]+$/.test(name));
      return { contents: `export { ${names.join(', ')} } from '${path}'`, resolveDir, loader: 'js' };
    });
  },
};

/**
 * Writes the bundles into an empty folder. Returns the parts: `name`, `platform`, `arch`, `entry`, `files` relative to
 * the folder, and `over`, the name of the part that it lies over, or null.
 */
export async function writeBundles(folder) {
  const plugins = pluginEntries();
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { ...AGENT, ...EMBEDDED, ...plugins },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minify: true,
    // The logs contain names of classes.
    keepNames: true,
    legalComments: 'eof',
    chunkNames: 'chunk-[hash]',
    banner: { js: REQUIRE },
    plugins: [nativeModule, namesOfPackages],
    metafile: true,
    logLevel: 'error',
  });
  cpSync(join(ROOT, PAGE), join(folder, 'page'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
  return partsOf(folder, outputsOf(metafile, folder), Object.keys(plugins));
}

function pluginEntries() {
  const files = readdirSync(join(ROOT, PLUGINS), { recursive: true, encoding: 'utf8' });
  const entries = files.filter((file) => /-(sink|source)\.ts$/.test(file)).sort();
  return Object.fromEntries(
    entries.map((file) => [`plugins/${basename(file, '.ts')}`, posix.join(PLUGINS, file.replaceAll('\\', '/'))]),
  );
}

/** The files that each bundle imports, relative to the folder. */
function outputsOf({ outputs }, folder) {
  const inFolder = (path) => posix.relative(folder, posix.resolve(ROOT, path));
  return new Map(
    Object.entries(outputs).map(([path, { imports }]) => [
      inFolder(path),
      imports.filter(({ external }) => !external).map((one) => inFolder(one.path)),
    ]),
  );
}

function partsOf(folder, outputs, plugins) {
  const [embedded, own] = [outputNames(Object.keys(EMBEDDED)), outputNames(Object.keys(AGENT))];
  const closed = new Set([...embedded, ...outputNames(plugins)]);
  const agent = reachable(outputs, own, closed);
  const over = (entries) => [...reachable(outputs, entries, closed)].filter((file) => !agent.has(file)).sort();
  const page = filesUnder(join(folder, 'page')).map((file) => `page/${file}`);
  return [
    {
      ...{ name: 'agent', platform: 'any', arch: 'any', entry: 'agent.main.js', over: null },
      files: [...agent, ...page, 'package.json'].sort(),
    },
    ...withNativeModule(folder, { name: 'embedded', entry: 'embedded.main.js', files: [...over(embedded), NATIVE] }),
    // The connectors of each broker keep refused messages in this store.
    ...withNativeModule(folder, { name: 'connectors-store', entry: NATIVE, files: [NATIVE] }),
    ...plugins.map((plugin) => ({
      ...{ name: `connector-${basename(plugin)}`, platform: 'any', arch: 'any', entry: `${plugin}.js`, over: 'agent' },
      files: over([`${plugin}.js`]),
    })),
  ];
}

/** A part for each processor. */
function withNativeModule(folder, part) {
  return Object.entries(PREBUILDS).map(([arch, prebuild]) => ({
    ...{ ...part, platform: 'linux', arch, over: 'agent' },
    bring: () => copyFileSync(join(ROOT, 'node_modules/classic-level/prebuilds', prebuild), join(folder, NATIVE)),
  }));
}

const outputNames = (entries) => entries.map((entry) => `${entry}.js`);

/** What the entries import, without the entries of other parts. */
function reachable(outputs, entries, closed) {
  const found = new Set(entries);
  for (const file of found) for (const next of outputs.get(file) ?? []) if (!closed.has(next)) found.add(next);
  return found;
}

const filesUnder = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(folder, posix.join(entry.parentPath, entry.name)));
