// Preloaded into the product's processes: injects faults into calls to the provider. The file CHAOS_PROVIDER names the
// current fault. Only calls and answers are lost; the sandbox's books stay correct. CHAOS_PROVIDER_MODULE is the
// sandbox's file in the build under test.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ProviderFault } from '../schedule.js';

type Call = (request: unknown, signal: AbortSignal) => Promise<unknown>;

const { CHAOS_PROVIDER: file, CHAOS_PROVIDER_MODULE: module, PROVIDER_TIMEOUT_MS: timeoutMs } = process.env;
const { SandboxProvider } = (await import(pathToFileURL(module!).href)) as {
  SandboxProvider: { prototype: Record<string, Call> };
};
const OPERATIONS = ['charge', 'capture', 'void', 'refund', 'lookup', 'lookupOperation'];
/** Above 1, so that some answers and some calls are later than the caller waits. */
const SLOW_BY = 1.3;

for (const operation of OPERATIONS) {
  const call = SandboxProvider.prototype[operation]!;
  SandboxProvider.prototype[operation] = function (request, signal) {
    return callUnderFault(currentFault(), operation, () => call.call(this, request, signal));
  };
}

function currentFault(): ProviderFault | 'none' {
  try {
    return readFileSync(file!, 'utf8') as ProviderFault | 'none';
  } catch {
    return 'none'; // the file does not exist yet
  }
}

async function callUnderFault(
  fault: ProviderFault | 'none',
  operation: string,
  call: () => Promise<unknown>,
): Promise<unknown> {
  switch (fault) {
    case 'none':
      return call();
    case 'unreachable':
      if (operation === 'charge') return { outcome: 'unavailable', reason: 'the link to the provider is cut' };
      throw new Error('ECONNREFUSED');
    case 'mute': {
      await call();
      throw new Error('ECONNRESET');
    }
    case 'slow': {
      await delay(Math.random() * SLOW_BY * Number(timeoutMs));
      const answer = await call();
      await delay(Math.random() * SLOW_BY * Number(timeoutMs));
      return answer;
    }
    case 'twice': {
      const [, answer] = await Promise.all([call(), call()]);
      return answer;
    }
  }
}
