// One set of globals for all test files of a worker, because the modules that they share need it.
const { AsyncLocalStorage } = require('node:async_hooks');
const { setTimeout } = require('node:timers');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Where jest-circus stores a file's tests and event handlers. They are deleted, because the next file's tests would be
 * added to this file's.
 */
const STATE_OF_A_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

/**
 * The applications that test files of this worker share (`test/support/app/shared-apps.ts`), by key. The worker's last
 * message ends them.
 */
const APIS = Symbol.for('payment-orchestrator.shared-apis');
const apis = new Map();
/** Jest's message to a worker that has no more files. */
const CHILD_MESSAGE_END = 2;
/** Less than Jest waits, and enough for its last questions. */
const END_MS = 300;
process.on('message', ([type]) => type === CHILD_MESSAGE_END && setTimeout(() => process.exit(0), END_MS));

/** Timers that applications set while a test had replaced the clock never fire: the next file starts others. */
async function endApis() {
  const ended = await Promise.allSettled(apis.values());
  apis.clear();
  apis.lostTimers = false;
  await Promise.allSettled(ended.map(({ value }) => value?.stop()));
}

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
    this.global[APIS] = apis;
    globalThis[APIS] = apis;
    const { fakeTimersModern } = this;
    const fake = fakeTimersModern.useFakeTimers.bind(fakeTimersModern);
    fakeTimersModern.useFakeTimers = (...args) => {
      apis.lostTimers = true;
      fake(...args);
    };
    kept = this;
  }

  /** Resets anything that a test file may have left: a fake clock, environment variables, storages, Jest's state. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    if (apis.lostTimers) await endApis();
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
