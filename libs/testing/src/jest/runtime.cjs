const { createRequire } = require('node:module');
const { default: JestRuntime } = require('jest-runtime');
const { IS_ISOLATED } = require('./is-isolated.cjs');
const { SourceModules } = require('./source-modules.cjs');

const sharedModules = new SourceModules();
const sharedMaps = new Map();

/** Loads the modules of a test file without contexts of their own (docs/decisions/0106-jest-runs-the-tests-in-the-realm-of-node.md). */
class Runtime extends JestRuntime {
  #modules = IS_ISOLATED ? new SourceModules() : sharedModules;

  constructor(...parts) {
    super(...parts);
    // A later test file also shows the lines of modules that an earlier one has imported.
    if (!IS_ISOLATED) this.transformCache.sourceMaps = sharedMaps;
  }

  async unstable_importModule(path) {
    return await this.#modules.importTest(path, this);
  }

  /** The modules of Jest itself. Node loads `expect` and the others once. Only the runner of the tests is loaded again for each file. */
  requireInternalModule(from, to) {
    if (to === undefined) delete require.cache[from];
    return createRequire(from)(to ?? from);
  }

  setMock() {
    throw new TypeError('Tests of this repository mock no modules: pass the other part to what you test.');
  }

  setModuleMock() {
    this.setMock();
  }
}

module.exports = Runtime;
