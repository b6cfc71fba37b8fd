// Mistakes in errors, time-outs, unreadable answers and secrets.
import { mistake, type Mistake } from './mistake.js';

export const ERRORS: readonly Mistake[] = [
  mistake(
    'reads a 5xx as a refusal',
    'the provider fails (5xx), in any call',
    ['api', 'status < 400 || status >= 500 || status === 409', 'status < 400 || status === 409'],
    ['api', 'status < 400 || status >= 500 ? {} : errorOf(answer.body)', 'errorOf(answer.body)'],
  ),
  mistake(
    'reads a 503 as unavailable',
    'the provider fails (5xx), in any call',
    [
      'api',
      'status < 400 || status >= 500 || status === 409',
      'status < 400 || (status >= 500 && status !== 503) || status === 409',
    ],
    ['api', '[401, 403, 429]', '[401, 403, 429, 503]'],
  ),
  mistake('reads a key of another call as a refusal', 'rejects another amount under a used key', [
    'api',
    " || code.startsWith('key_')",
    '',
  ]),
  mistake('reads a redirect as a refusal', 'a proxy redirects the call, in any call', [
    'api',
    '    if (status < 400 || status >= 500',
    '    if (status >= 500',
  ]),
  mistake('takes any status for an answer', 'never voids a captured charge', [
    'api',
    'if (status >= 200 && status < 300) return',
    'if (status >= 200) return',
  ]),
  mistake('takes a page of a proxy for an empty answer', 'the answer cannot be read, in any call', [
    'api',
    'objectOf(JSON.parse(answer.body.toString()))',
    'objectOf(answer.body[0] === 123 ? JSON.parse(answer.body.toString()) : {})',
  ]),
  mistake('takes a list for an object', 'the answer cannot be read, in any call', [
    'api',
    'if (isObject(json)) return json;',
    'if (typeof json === "object") return json as never;',
  ]),
  mistake(
    'declines after a time-out',
    'rejects when the answer got lost, and charges once after a repeat under the same key',
    [
      'connector',
      'if (!(error instanceof AcmeRefusal)) throw error;',
      "if (!(error instanceof AcmeRefusal)) return { outcome: 'soft_declined', declineCode: 'processing_error' };",
    ],
  ),
  mistake(
    'is unavailable after a broken connection',
    'rejects when the answer got lost, and charges once after a repeat under the same key',
    ['api', 'return error.sent ? undefined :', 'return'],
  ),
  mistake('rejects if no byte was sent', 'answers unavailable if no byte of the call was sent', [
    'api',
    'return error.sent ? undefined :',
    "return error.message !== '' ? undefined :",
  ]),
  mistake('knows the errors of its own copy of the kit only', 'answers unavailable if no byte of the call was sent', [
    'api',
    'if (isApiCallError(error)) return',
    'if (error instanceof ApiCallError) return',
  ]),
  mistake('does not pass the signal on', 'the time of a call is over, in any call', [
    'api',
    '      signal,\n    );',
    '      new AbortController().signal,\n    );',
  ]),
  mistake('has a time-out of its own', 'the time of a call is over, in any call', [
    'api',
    '      signal,\n    );',
    '      signal.aborted ? signal : AbortSignal.timeout(60_000),\n    );',
  ]),
  mistake('forgets the signal of a look-up', 'the time of a call is over, in any call', [
    'connector',
    "const { charges } = await this.api.call(credentials, { method: 'GET', path }, signal);",
    "const { charges } = await this.api.call(credentials, { method: 'GET', path }, new AbortController().signal);\n    signal.throwIfAborted();",
  ]),
  mistake(
    'tries again after a 5xx',
    'the provider fails (5xx), in any call',
    [
      'api',
      '    if (status < 400 || status >= 500 ||',
      '    if (status >= 500 && key !== undefined && !retried) return this.call({ api_key: apiKey }, { method, path, key, ...(body && { body }) }, signal, true);\n    if (status < 400 || status >= 500 ||',
    ],
    ['api', '    signal: AbortSignal,\n  ): Promise', '    signal: AbortSignal,\n    retried = false,\n  ): Promise'],
  ),
  mistake('rejects after 429', 'the account is over its rate limit, in any call', [
    'api',
    'status === 409 || code',
    'status === 409 || status === 429 || code',
  ]),
  mistake('reads 429 as a refusal', 'the account is over its rate limit, in any call', [
    'api',
    '[401, 403, 429]',
    '[401, 403]',
  ]),
  mistake('reads 401 as a refusal', 'the provider does not know the credentials, in any call', [
    'api',
    '[401, 403, 429]',
    '[403, 429]',
  ]),
  mistake('reads 403 as a refusal of the charge', 'the credentials lack a permission, in any call', [
    'api',
    '[401, 403, 429]',
    '[401, 429]',
  ]),
  mistake('refuses an operation that was not processed', 'the account is over its rate limit, in any call', [
    'connector',
    'retryable: true, isUnavailable: true }',
    'retryable: true }',
  ]),
  mistake('is unavailable after any refusal', 'more than the authorised amount is captured', [
    'api',
    'error instanceof AcmeRefusal && error.isUnavailable ?',
    'error instanceof AcmeRefusal ?',
  ]),
];
