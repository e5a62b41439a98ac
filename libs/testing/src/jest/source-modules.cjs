const { readFileSync } = require('node:fs');
const { dirname, extname, isAbsolute } = require('node:path');
const { pathToFileURL } = require('node:url');
const { SourceTextModule, SyntheticModule } = require('node:vm');
const { isOfTests, sourcePath } = require('./source-path.cjs');

/** Not the one that a test may have replaced. */
const { setImmediate } = globalThis;
const GLOBALS = '@jest/globals';
/** What is compiled. Node itself imports the scripts. */
const SOURCE = /\.(tsx?|json|css)$/;
/** How Jest calls what its transformers may leave to the engine. */
const SYNTAX = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};
/** The packages and the modules of Node, which Node itself loads once in a process. */
const packages = new Map();

/** The modules of this repository in the worker of Jest. Packages come from Node, as in a program. */
class SourceModules {
  #modules = new Map();
  /** Weak: the modules of a test file that has ended may go. */
  #evaluations = new WeakMap();
  #linked = Promise.resolve();
  #globals = null;
  #runtime;

  /** Imports a test file. Test files and fixtures are loaded again each time, all other modules once. */
  async importTest(path, runtime) {
    this.#runtime = runtime;
    for (const other of this.#modules.keys()) if (isOfTests(other)) this.#modules.delete(other);
    this.#renewGlobals(runtime.requireModuleOrMock(path, GLOBALS));
    return await this.#run(this.#source(path));
  }

  /** Each test file has its own `jest`, also for the modules that an earlier file has imported. */
  #renewGlobals(globals) {
    if (this.#globals?.status !== 'evaluated') this.#globals = synthetic(GLOBALS, globals);
    else for (const [name, value] of Object.entries(globals)) this.#globals.setExport(name, value);
  }

  async #run(module) {
    // One after the other: Node does not wait for a module that another call is linking.
    this.#linked = this.#linked.catch(() => undefined).then(() => this.#link(module));
    await this.#linked;
    await this.#evaluate(module);
    return module;
  }

  async #link(module) {
    if (module.status === 'unlinked')
      await module.link((specifier, { identifier }) => this.#imported(specifier, identifier));
  }

  async #evaluate(module) {
    // A module that another one is evaluating has no promise of its own.
    while (module.status === 'evaluating' && !this.#evaluations.has(module)) await new Promise(setImmediate);
    if (!this.#evaluations.has(module)) this.#evaluations.set(module, module.evaluate());
    await this.#evaluations.get(module);
  }

  async #imported(specifier, importer) {
    if (specifier === GLOBALS) return this.#globals;
    const path = sourcePath(specifier, importer);
    return SOURCE.test(path ?? '') ? this.#source(path) : await packageModule(path ?? specifier);
  }

  #source(path) {
    if (!this.#modules.has(path)) this.#modules.set(path, OTHERS[extname(path)]?.(path) ?? this.#compile(path));
    return this.#modules.get(path);
  }

  #compile(path) {
    const meta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) };
    return new SourceTextModule(this.#runtime.transformCache.transform(path, SYNTAX), {
      identifier: path,
      initializeImportMeta: (own) => Object.assign(own, meta),
      importModuleDynamically: async (specifier, { identifier }) =>
        await this.#run(await this.#imported(specifier, identifier)),
    });
  }
}

async function packageModule(specifier) {
  if (!packages.has(specifier)) {
    const url = isAbsolute(specifier) ? pathToFileURL(specifier).href : specifier;
    packages.set(
      specifier,
      import(url).then((namespace) => synthetic(specifier, namespace)),
    );
  }
  return await packages.get(specifier);
}

function synthetic(identifier, members) {
  const names = Object.keys(members);
  function evaluate() {
    for (const name of names) this.setExport(name, members[name]);
  }
  return new SyntheticModule(names, evaluate, { identifier });
}

/** What is no source of a program. A style sheet gives each class its own name. */
const OTHERS = {
  '.json': (path) => synthetic(path, { default: JSON.parse(readFileSync(path, 'utf8')) }),
  '.css': (path) => synthetic(path, { default: new Proxy({}, { get: (_, name) => name }) }),
};

exports.SourceModules = SourceModules;
