// Mistakes in errors, time-outs, unreadable answers and secrets.
import { mistake, type Mistake } from './mistake.js';

export const ERRORS_MORE: readonly Mistake[] = [
  mistake('declines hard after a refusal of the request', 'the provider refuses the request, in any call', [
    'connector',
    "return { outcome: 'soft_declined', declineCode: 'request_refused'",
    "return { outcome: 'declined', declineCode: 'request_refused'",
  ]),
  mistake('blames the account for a payment method', 'the account does not have the payment method, in any call', [
    'connector',
    "if (error.code === 'unknown_source') return PAYMENT_METHOD_UNUSABLE;",
    '',
  ]),
  mistake(
    'declines hard for a method of another account',
    'the account does not have the payment method, in any call',
    [
      'connector',
      'return PAYMENT_METHOD_UNUSABLE;',
      "return { outcome: 'declined', declineCode: 'payment_method_unusable' };",
    ],
  ),
  mistake('confirms an operation that was refused', 'never voids a captured charge', [
    'connector',
    "if (error instanceof AcmeRefusal) return { outcome: 'refused', reason: error.message, retryable: false };",
    "if (error instanceof AcmeRefusal) return { outcome: 'confirmed' };",
  ]),
  mistake(
    'refuses an operation after an unknown outcome',
    'rejects a refund whose answer got lost, and repeats it safely',
    [
      'connector',
      'retryable: false };\n    throw error;',
      "retryable: false };\n    return { outcome: 'refused', reason: 'error', retryable: true };",
    ],
  ),
  mistake('repeats the provider’s text as the reason', 'the account is over its rate limit, in any call', [
    'api',
    "return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? { code } : {};",
    'return { code: `${String(code)} ${String((JSON.parse(body.toString()) as { message?: string }).message)}` };',
  ]),
  mistake('tells the key in a reason', 'never voids a captured charge', [
    'api',
    'throw new AcmeRefusal(status, code);',
    'throw new AcmeRefusal(status, `${code} for ${String(apiKey)}`);',
  ]),
  mistake('writes requests to the console', 'approves, and holds exactly the requested amount', [
    'connector',
    '    const body = {\n      reference,\n      amount',
    "    console.debug('charge', JSON.stringify(request));\n    const body = {\n      reference,\n      amount",
  ]),
  mistake('sends the key in the address', 'a credential that proves who calls is a secret', [
    'api',
    'url: new URL(path, this.base),',
    "url: new URL(`${path}${path.includes('?') ? '&' : '?'}api_key=${String(apiKey)}`, this.base),",
  ]),
  mistake('finds no charge when the look-up fails', 'the provider fails (5xx), in any call', [
    'connector',
    "const { charges } = await this.api.call(credentials, { method: 'GET', path }, signal);",
    "const { charges } = await this.api\n      .call(credentials, { method: 'GET', path }, signal)\n      .catch(() => ({ charges: [] }));",
  ]),
  mistake('finds no operation when the look-up fails', 'the provider fails (5xx), in any call', [
    'connector',
    "const { operations } = await this.api.call(credentials, { method: 'GET', path }, signal);",
    "const { operations } = await this.api\n      .call(credentials, { method: 'GET', path }, signal)\n      .catch(() => ({ operations: [] }));",
  ]),
  mistake('finds no charge without permission', 'the account is over its rate limit, in any call', [
    'connector',
    "const { charges } = await this.api.call(credentials, { method: 'GET', path }, signal);",
    "const { charges } = await this.api\n      .call(credentials, { method: 'GET', path }, signal)\n      .catch((error: unknown) => {\n        if (error instanceof AcmeRefusal) return { charges: [] };\n        throw error;\n      });",
  ]),
  mistake('says that a method is gone when its removal fails', 'the provider fails (5xx), in any call', [
    'connector',
    "if (error instanceof AcmeRefusal && error.status === 404) return { outcome: 'not_found' };\n      throw error;",
    "return { outcome: 'not_found' };",
  ]),
  mistake('confirms the removal of a method that is unknown', 'the provider has no such object, in any call', [
    'connector',
    "error.status === 404) return { outcome: 'not_found' }",
    "error.status === 404) return { outcome: 'confirmed' }",
  ]),
  mistake('rejects the removal of a method that is unknown', 'the provider has no such object, in any call', [
    'connector',
    "if (error instanceof AcmeRefusal && error.status === 404) return { outcome: 'not_found' };\n",
    '',
  ]),
  mistake('accepts credentials after a rate limit', 'the account is over its rate limit, in any call', [
    'connector',
    'if (error instanceof AcmeRefusal && error.status === 401)\n',
    "if (error instanceof AcmeRefusal && error.status === 429) return { outcome: 'accepted' };\n      if (error instanceof AcmeRefusal && error.status === 401)\n",
  ]),
  mistake('does not notice revoked credentials', 'the credentials are right, revoked or of another account', [
    'connector',
    '      const id = await this.accountId(credentials, signal);',
    "      const id = await Promise.resolve('acct_1' as string | null);",
  ]),
  mistake('refuses credentials when the provider is down', 'the provider fails (5xx), in any call', [
    'connector',
    'if (error instanceof AcmeRefusal && error.status === 401)',
    'if (error instanceof Error)',
  ]),
  mistake('rejects the check of credentials', 'the provider fails (5xx), in any call', [
    'connector',
    "return { outcome: 'unknown', reason: unavailableReason(error) ?? 'Acme gave no answer' };",
    'throw error;',
  ]),
  mistake('names a credential that does not exist', 'the credentials are right, revoked or of another account', [
    'connector',
    "errors: [{ field: 'api_key',",
    "errors: [{ field: 'key',",
  ]),
  mistake('reads a 409 as a refusal', 'the idempotency key is in use, in any call', [
    'api',
    ' || status === 409 || code',
    ' || code',
  ]),
];
