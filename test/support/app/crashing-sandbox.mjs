// Preloaded into a service (NODE_OPTIONS=--import=…): writes every call that reaches the sandbox to SANDBOX_CALLS, as a
// provider's own books would, and kills the process, as `kill -9` does, at the call that the file SANDBOX_CRASH
// describes: "before <text>" or "after <text>", where the text is in "-<n> <token>", the attempt's number as this process
// counts and the payment method's token, or "before #<n>" or "after #<n>" for the n-th call from then on; empty: none. SANDBOX_MODULE: the sandbox's
// file in the build that is tested.
import { appendFileSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { SANDBOX_CALLS: ledger, SANDBOX_MODULE: module, SANDBOX_CRASH: crashFile } = process.env;
const { SandboxProvider } = await import(pathToFileURL(module).href);
const { charge } = SandboxProvider.prototype;
let calls = 0;
const keys = new Map();

SandboxProvider.prototype.charge = async function (request, signal) {
  const { paymentId, idempotencyKey: key, transactionId, paymentMethodToken: token } = request;
  const [, moment, where] = /^(before|after) (.+)$/.exec(readFileSync(crashFile, 'utf8')) ?? [];
  const seen = keys.get(paymentId) ?? new Set();
  keys.set(paymentId, seen.add(key));
  const isHere = where?.startsWith('#') ? where === `#${++calls}` : where && `-${seen.size} ${token}`.includes(where);
  if (isHere && moment === 'before') await die();
  const answer = await charge.call(this, request, signal);
  appendFileSync(ledger, `${JSON.stringify({ paymentId, key, transactionId, outcome: answer.outcome })}\n`);
  if (isHere && moment === 'after') await die();
  return answer;
};

function die() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}
