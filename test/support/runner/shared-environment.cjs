// One world of globals for all test files of a worker, as the modules that they share need it.
const { TestEnvironment } = require('jest-environment-node');

/** Where jest-circus keeps a file's tests, and who is told of them: the next file's would be told to this one's. */
const STATE_OF_A_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];

let kept;

class SharedEnvironment extends TestEnvironment {
  constructor(...options) {
    if (kept) return kept;
    super(...options);
    this.variables = { ...this.global.process.env };
    kept = this;
  }

  /** Takes back what a test file may have left: a clock of its own, environment variables, the state of Jest. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    restore(this.global.process.env, this.variables);
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
