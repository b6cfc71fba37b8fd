// Preloaded into a worker (NODE_OPTIONS=--import=…): stops the recovery of an operation at the step that the JSON file
// JOB_STOPS names for its payment, and a round of expiry at the step under "expiry". Each stop prints "stopped
// <payment>" or "stopped expiry <step>" on stdout; work that is not stopped prints "ended …". Each recovery first
// prints "begun <payment>". Steps are the statements that are sent to PostgreSQL, counted before they are sent. Stopped
// work keeps its connection and its locks, but its caller continues as if it had ended. One SIGKILL then ends all of it
// at this point. A stopped run of a Batcher would also stop the other items of the run and all waiting ones; so here
// each item has its own run. JOB_MODULES is the build's folder with the payments' modules.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';

const running = new AsyncLocalStorage();
const { JOB_STOPS: file, JOB_MODULES: folder } = process.env;
const load = (module) => import(pathToFileURL(join(folder, module)).href);

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (...args) {
  return isOver() ? new Promise(() => undefined) : query.apply(this, args);
};

const { Batcher } = await load('../shared/batcher.js');
const { add } = Batcher.prototype;
Batcher.prototype.add = function (input) {
  return running.getStore() === undefined ? add.call(this, input) : this.run([input]).then(([output]) => output);
};

const { OperationRecovery } = await load('work/recovery.service.js');
const { recover } = OperationRecovery.prototype;
OperationRecovery.prototype.recover = function (operation) {
  const which = String(operation.payment_id);
  writeSync(1, `begun ${which}\n`);
  return stoppingAt(which, stops()[which], () => recover.call(this, operation));
};

const { ExpiryService } = await load('work/expiry.service.js');
const { expireBatch } = ExpiryService.prototype;
ExpiryService.prototype.expireBatch = function () {
  const { expiry: at } = stops();
  return stoppingAt(`expiry ${at}`, at, () => expireBatch.call(this));
};

const stops = () => JSON.parse(readFileSync(file, 'utf8'));

async function stoppingAt(which, at, work) {
  const progress = { which, at, steps: 0 };
  const stopped = new Promise((resolve) => (progress.stop = resolve));
  const ended = () => writeSync(1, `ended ${which}\n`);
  const run = () => work().finally(ended);
  return at === undefined ? run() : Promise.race([running.run(progress, run), stopped]);
}

function isOver() {
  const progress = running.getStore();
  if (progress === undefined || ++progress.steps < progress.at) return false;
  if (progress.steps === progress.at) {
    writeSync(1, `stopped ${progress.which}\n`);
    progress.stop();
  }
  return true;
}
