// Preloaded into the product's processes: the way to the provider, which loses calls and answers while the file
// CHAOS_PROVIDER names a trouble. What is lost is the word of a call; the sandbox's books stay as they are.
// CHAOS_PROVIDER_MODULE: the sandbox's file in the build that suffers.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ProviderTrouble } from '../schedule.js';

type Call = (request: unknown, signal: AbortSignal) => Promise<unknown>;

const { CHAOS_PROVIDER: file, CHAOS_PROVIDER_MODULE: module, PROVIDER_TIMEOUT_MS: timeoutMs } = process.env;
const { SandboxProvider } = (await import(pathToFileURL(module!).href)) as {
  SandboxProvider: { prototype: Record<string, Call> };
};
const OPERATIONS = ['charge', 'void', 'refund', 'lookup'];
/** Above 1: some answers, and some calls, are later than the caller waits. */
const SLOW_BY = 1.3;

for (const operation of OPERATIONS) {
  const call = SandboxProvider.prototype[operation]!;
  SandboxProvider.prototype[operation] = function (request, signal) {
    return underTrouble(troubleNow(), operation, () => call.call(this, request, signal));
  };
}

function troubleNow(): ProviderTrouble | 'none' {
  try {
    return readFileSync(file!, 'utf8') as ProviderTrouble | 'none';
  } catch {
    return 'none'; // nobody has written it yet
  }
}

async function underTrouble(
  trouble: ProviderTrouble | 'none',
  operation: string,
  call: () => Promise<unknown>,
): Promise<unknown> {
  switch (trouble) {
    case 'none':
      return call();
    case 'away':
      if (operation === 'charge') return { outcome: 'unavailable', reason: 'the way to the provider is cut' };
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
