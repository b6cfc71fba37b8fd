// Preloaded into a service (NODE_OPTIONS=--import=…): goes no further than the calls to the sandbox that the file
// SANDBOX_CRASH describes, each on a line of its own: "before <text>" or "after <text>", where the text is in "-<n> <token>",
// the attempt's number as this process counts and the payment method's token. It says "stopped <token>" on stdout then; one
// SIGKILL ends all of them where they are. At "before #<n>" or "after #<n>", the n-th call from then on, the process kills
// itself, as `kill -9` does. SANDBOX_MODULE: the sandbox's file in the build that is tested.
import { readFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { SANDBOX_MODULE: module, SANDBOX_CRASH: crashFile } = process.env;
const { SandboxProvider } = await import(pathToFileURL(module).href);
const { charge } = SandboxProvider.prototype;
let calls = 0;
const keys = new Map();

SandboxProvider.prototype.charge = async function (request, signal) {
  const { paymentId, idempotencyKey: key, paymentMethodToken: token } = request;
  const seen = keys.get(paymentId) ?? new Set();
  keys.set(paymentId, seen.add(key));
  const moment = momentOf(`-${seen.size} ${token}`);
  if (moment?.when === 'before') await moment.end(token);
  const answer = await charge.call(this, request, signal);
  if (moment?.when === 'after') await moment.end(token);
  return answer;
};

/** When the call ends, if it is one of those that are described. */
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
