// Preloaded into an API (NODE_OPTIONS=--import=…): a request with the headers x-stop-id and x-stop-at: <n> goes no further
// than its n-th step, and says "stopped <id>" on stdout. Its steps are the statements that it sends to PostgreSQL, each
// counted before it is sent, and its answer. Many requests can be stopped at once; one SIGKILL then ends all of them
// where they are. A stopped one would take with it all that share its run of a Batcher, and would hold for ever one of the
// slots of MerchantSlots: here each has a run and a slot of its own. BUILD: the folder of the build that is tested.
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';

const running = new AsyncLocalStorage();

const emitOfServer = Server.prototype.emit;
Server.prototype.emit = function (event, ...args) {
  const { 'x-stop-id': id, 'x-stop-at': at } = (event === 'request' && args[0].headers) || {};
  if (id === undefined) return emitOfServer.call(this, event, ...args);
  const [request] = args;
  const progress = { id, at: Number(at), steps: 0 };
  // what reads the body runs in the context of the connection otherwise
  const { emit } = request;
  request.emit = (...given) => running.run(progress, () => emit.apply(request, given));
  return running.run(progress, () => emitOfServer.call(this, event, ...args));
};

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (...args) {
  return isOver() ? new Promise(() => undefined) : query.apply(this, args);
};

const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (...args) {
  return isOver() ? this : end.apply(this, args);
};

const load = (module) => import(pathToFileURL(join(process.env.BUILD, module)).href);

const { Batcher } = await load('shared/batcher.js');
const { add } = Batcher.prototype;
Batcher.prototype.add = function (input) {
  return running.getStore() === undefined ? add.call(this, input) : this.run([input]).then(([output]) => output);
};

const { MerchantSlots } = await load('platform/cpu-scheduler/merchant-slots.js');
MerchantSlots.prototype.run = (_owner, work) => work();

function isOver() {
  const progress = running.getStore();
  if (progress === undefined || ++progress.steps < progress.at) return false;
  if (progress.steps === progress.at) writeSync(1, `stopped ${progress.id}\n`);
  return true;
}
