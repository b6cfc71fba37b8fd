// Preloaded into a service (NODE_OPTIONS=--import=…): stops the calls to the sandbox that the file SANDBOX_CRASH
// describes, one per line: "before <text>" or "after <text>". The text is compared with "-<n> <token>": the number of
// the attempt in this process, and the payment method's token. A stopped call prints "stopped <token>" on stdout and
// never ends; one SIGKILL then ends all of them at this point. With "before #<n>" or "after #<n>" the process kills
// itself at its n-th call, like `kill -9`. SANDBOX_MODULE is the sandbox's file in the build under test.
import { readFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { SANDBOX_MODULE: module, SANDBOX_CRASH: crashFile } = process.env;
const { SandboxProvider } = await import(pathToFileURL(module).href);
const { charge } = SandboxProvider.prototype;
let calls = 0;
const keys = new Map();

SandboxProvider.prototype.charge = async function (request, signal) {
  const { paymentId, idempotencyKey: key } = request;
  const token = request.paymentMethod?.token;
  const seen = keys.get(paymentId) ?? new Set();
  keys.set(paymentId, seen.add(key));
  const moment = momentOf(`-${seen.size} ${token}`);
  if (moment?.when === 'before') await moment.end(token);
  const answer = await charge.call(this, request, signal);
  if (moment?.when === 'after') await moment.end(token);
  return answer;
};

/** When the call is stopped, if the file describes it. */
function momentOf(call) {
  const described = [...readFileSync(crashFile, 'utf8').matchAll(/^(before|after) (.+)$/gm)];
  const numbered = described.find(([, , where]) => where.startsWith('#'));
  if (numbered) return numbered[2] === `#${++calls}` ? { when: numbered[1], end: die } : undefined;
  const found = described.find(([, , where]) => call.includes(where));
  return found && { when: found[1], end: stop };
}

function stop(token) {
  writeSync(1, `stopped ${token}\n`);
  return new Promise(() => undefined);
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}
