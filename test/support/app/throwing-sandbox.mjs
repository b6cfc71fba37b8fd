// Preloaded into a service (NODE_OPTIONS=--import=…): a sandbox that fails as careless adapters do, with all that it knows
// in its error, whenever the payment method's token starts with "tok_throw". SANDBOX_MODULE: the sandbox's file in the
// build that is tested.
import { pathToFileURL } from 'node:url';

const { SandboxProvider } = await import(pathToFileURL(process.env.SANDBOX_MODULE).href);
const { charge } = SandboxProvider.prototype;

SandboxProvider.prototype.charge = async function (request, signal) {
  if (!request.paymentMethodToken?.startsWith('tok_throw')) return charge.call(this, request, signal);
  const everything = JSON.stringify(request);
  const cause = Object.assign(new Error(`the provider answered ${everything}`), { body: everything });
  throw Object.assign(new Error(`POST https://provider.example/?request=${everything}`, { cause }), { request });
};
