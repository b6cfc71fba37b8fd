// Preloaded into a service (NODE_OPTIONS=--import=…): a sandbox that throws an error with all request data, like a
// careless adapter, if the payment method's token starts with "tok_throw". SANDBOX_MODULE is the sandbox's file in the
// build under test.
import { pathToFileURL } from 'node:url';

const { SandboxProvider } = await import(pathToFileURL(process.env.SANDBOX_MODULE).href);
const { charge } = SandboxProvider.prototype;

SandboxProvider.prototype.charge = async function (request, signal) {
  if (!request.paymentMethod?.token?.startsWith('tok_throw')) return charge.call(this, request, signal);
  const everything = JSON.stringify(request);
  const cause = Object.assign(new Error(`the provider answered ${everything}`), { body: everything });
  throw Object.assign(new Error(`POST https://provider.example/?request=${everything}`, { cause }), { request });
};
