// Preloaded into an API (NODE_OPTIONS=--import=…): stops a request with the headers x-stop-id and x-stop-at: <n> at its
// n-th step, and prints "stopped <id>" on stdout. Its steps are the statements that it sends to PostgreSQL, counted
// before they are sent, and its answer. Many requests can be stopped at the same time; one SIGKILL then ends all of
// them at this point. A stopped request would also stop the other items of its Batcher run, and would never release its
// slot of MerchantSlots; so here each request has its own run and slot. BUILD is the folder of the build under test.
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
  // otherwise the body is read in the context of the connection
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
