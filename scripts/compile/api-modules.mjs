// A worker: compiles the files whose types and comments become part of the API description. The plugins of
// nest-cli.json need a compiler that knows the types of the members, also across files. Nothing is checked, and
// packages are not read: both would take most of the time.
import { join, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import ts from 'typescript';
import { ROOT } from '../build-stamp.mjs';
import { sourceOf } from './imports.mjs';
import { writeModule } from './transpile.mjs';

/** Packages whose types stand in the signatures of controllers. */
const READ_PACKAGES = /^rxjs$/;
/** A library with a sixth of all text, and no type of the API. */
const NOT_READ = /^@libs\/broker\/runtime$/;
/** The API needs of such a file only what it declares itself. Its imports lead to most of the other sources. */
const ENDS_SEARCH = /^@(Injectable|Module|Catch|Entity)\(/m;

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(
  { ...config.compilerOptions, outDir: 'dist', types: [], noCheck: true },
  ROOT,
);
const host = ts.createCompilerHost(options);
host.resolveModuleNameLiterals = (literals, importer, _redirected, _options, { text: source }) =>
  literals.map(({ text }) => ({
    resolvedModule: ENDS_SEARCH.test(source) ? undefined : resolvedModule(text, importer),
  }));
const program = ts.createProgram({ rootNames: workerData.sources, options, host });
const before = await pluginsOf(program);
parentPort.postMessage(workerData.sources.flatMap((source) => compiled(source)));

function resolvedModule(specifier, importer) {
  if (NOT_READ.test(specifier)) return undefined;
  const source = importer.includes('node_modules') ? null : sourceOf(specifier, importer);
  if (source !== null) return { resolvedFileName: source, extension: ts.Extension.Ts };
  const isRead = READ_PACKAGES.test(specifier) || importer.includes('node_modules');
  return isRead ? ts.resolveModuleName(specifier, importer, options, host).resolvedModule : undefined;
}

/** The transformers of nest-cli.json. */
async function pluginsOf(ofProgram) {
  return await Promise.all(
    workerData.plugins.map(async ({ name, options: ofPlugin }) => {
      const plugin = await import(name.startsWith('.') ? resolve(ROOT, 'scripts', name) : `${name}/plugin`);
      return (plugin.before ?? plugin.default.before)(ofPlugin, ofProgram);
    }),
  );
}

function compiled(source) {
  const file = program.getSourceFile(source);
  const [error] = program.getSyntacticDiagnostics(file);
  if (error !== undefined) throw new Error(ts.formatDiagnostic(error, { ...host, getNewLine: () => '\n' }));
  const texts = {};
  const write = (name, text) => (texts[name.endsWith('.map') ? 'map' : 'code'] = text);
  program.emit(file, write, undefined, false, { before });
  const code = texts.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
  return { source, code: writeModule(source, { code, map: texts.map }) };
}
