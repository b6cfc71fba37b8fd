// One set of globals for all test files of a worker, because the modules that they share need it.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Where jest-circus stores a file's tests and event handlers. They are deleted, because the next file's tests would be
 * added to this file's.
 */
const STATE_OF_A_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

let kept;

/**
 * Storages used since the last file: jest-circus creates one per file, and Node 20 copies each of them into every later
 * promise.
 */
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

  /** Resets anything that a test file may have left: a fake clock, environment variables, storages, Jest's state. */
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
