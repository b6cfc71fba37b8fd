// One set of globals for all test files of a worker, as the modules that they share need it.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/** Where jest-circus keeps a file's tests, and who is told of them: the next file's would be told to this one's. */
const STATE_OF_A_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

let kept;

/** In use since the last file: jest-circus makes one for each file, and Node 20 copies each into every promise from then on. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

class SharedEnvironment extends TestEnvironment {
  constructor(...options) {
    if (kept) return kept;
    super(...options);
    this.variables = { ...this.global.process.env };
    kept = this;
  }

  /** Takes back what a test file may have left: a clock of its own, environment variables, storages, the state of Jest. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    restore(this.global.process.env, this.variables);
    for (const storage of storages) storage.disable();
    storages.clear();
    const states = Object.getOwnPropertySymbols(this.global).filter((symbol) =>
      STATE_OF_A_FILE.includes(symbol.description),
    );
    for (const symbol of states) delete this.global[symbol];
  }
}

function restore(variables, before) {
  for (const name of Object.keys(variables)) if (!(name in before)) delete variables[name];
  Object.assign(variables, before);
}

module.exports = SharedEnvironment;
