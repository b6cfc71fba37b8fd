// Preloaded into a worker (NODE_OPTIONS=--import=…): recovery of an operation goes no further than the step that the JSON in
// the file JOB_STOPS names for its payment, a round of expiry no further than the step under "expiry"; each says "stopped
// <payment>" or "stopped expiry <step>" on stdout, and "ended …" unless it stops. Each recovery says "begun <payment>" before.
// Steps are the statements that are sent to PostgreSQL, each counted before it is sent. What is stopped stays where it is, with
// its connection and its locks, and counts as over for whoever waits for it: others follow. One SIGKILL then ends all of them
// where they are. Of a Batcher's runs a stopped one would take with it all that share it, and all that wait for one of its
// few: here each has its own.
// JOB_MODULES: the build's folder with the payments' modules.
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

const { OperationRecovery } = await load('operations/recovery.service.js');
const { recover } = OperationRecovery.prototype;
OperationRecovery.prototype.recover = function (operation) {
  const which = String(operation.payment_id);
  writeSync(1, `begun ${which}\n`);
  return stoppingAt(which, stops()[which], () => recover.call(this, operation));
};

const { ExpiryService } = await load('expiry/expiry.service.js');
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
