const { ModernFakeTimers } = require('@jest/fake-timers');
const { defaultMetadataStorage } = require('class-transformer/cjs/storage');
const { ModuleMocker } = require('jest-mock');
const { IS_ISOLATED } = require('./is-isolated.cjs');

// The flags of Jest. A program that a test starts with `fork` would inherit them.
process.execArgv = [];

/** Where decorators register the classes of a file for as long as the process lives. */
const STORAGES = ['classValidatorMetadataStorage', 'typeormMetadataArgsStorage'];
/** Where the runner of the tests keeps the tests of a file. It makes a new symbol for each. */
const OF_THE_RUNNER = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/** Jest makes these for each file. These stand-ins call the current ones, so a shared module may keep one: `const itWithNats = hasNats ? it : ...`. */
const OF_A_FILE = ['describe', 'it', 'test', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'];
for (const name of OF_A_FILE) {
  let current;
  const lasting = new Proxy(() => undefined, {
    apply: (_, self, parts) => Reflect.apply(current, self, parts),
    get: (_, member) => current[member],
  });
  Object.defineProperty(globalThis, name, { get: () => lasting, set: (own) => (current = own), configurable: true });
}

/**
 * Tests run in the realm of Node, as programs do: an error of Node or of a package is an `Error` of the test. What a test
 * file leaves behind in that realm ends with the file.
 */
class NodeRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #before = { env: process.env, variables: { ...process.env }, exit: process.exit, console: globalThis.console };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest asks whether there is one: the runtime of this folder uses none. */
  getVmContext() {
    return globalThis;
  }

  async setup() {
    if (IS_ISOLATED) forgetClasses();
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (OF_THE_RUNNER.includes(symbol.description)) delete globalThis[symbol];
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    const { env, variables, exit, console } = this.#before;
    for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
    Object.assign(env, variables);
    Object.assign(process, { env, exit });
    globalThis.console = console;
  }
}

function forgetClasses() {
  for (const name of STORAGES) delete globalThis[name];
  defaultMetadataStorage.clear();
}

module.exports = NodeRealm;
