// Mistakes in what is sent, in amounts, accounts and credentials.
import { mistake, type Mistake } from './mistake.js';

export const REQUESTS_MORE: readonly Mistake[] = [
  mistake('tells no refunds', 'shows the sum of partial refunds, and leaves the charge captured, if it can', [
    'charges',
    'refundedAmount: amountOf(refunded, currency)',
    "refundedAmount: '0'",
  ]),
  mistake('charges any currency as euros', 'a currency that the provider does not accept is refused without a call', [
    'connector',
    "UNITS.get(currency), 'Acme'",
    "UNITS.get(currency) ?? UNITS.get('EUR'), 'Acme'",
  ]),
  mistake('sends euros always', 'charges and refunds JPY in its own minor units, if it accepts it', [
    'connector',
    '      currency,\n      source',
    "      currency: 'EUR',\n      source",
  ]),
  mistake('refunds by the wrong amount of yen', 'charges and refunds JPY in its own minor units, if it accepts it', [
    'connector',
    'hasAmount ? { amount: amount.minor } : {}',
    "hasAmount ? { amount: request.currency === 'JPY' ? amount.minor * 100 : amount.minor } : {}",
  ]),
  mistake(
    'keeps the credentials of the first shop',
    'the credentials are right, revoked or of another account',
    ['api', '{ api_key: apiKey }: Record<string, unknown>,', '{ api_key: given }: Record<string, unknown>,'],
    [
      'api',
      '    const answer = await this.http.call(',
      '    const apiKey = (this.first ??= String(given));\n    const answer = await this.http.call(',
    ],
    [
      'api',
      '  constructor(\n    private readonly http: ApiClient,',
      '  private first: string | undefined;\n\n  constructor(\n    private readonly http: ApiClient,',
    ],
  ),
  mistake(
    'keeps charges in memory',
    'another process makes the later calls',
    [
      'connector',
      '  capture(request: CaptureRequest, signal: AbortSignal)',
      '  private readonly seen = new Set<string>();\n\n  capture(request: CaptureRequest, signal: AbortSignal)',
    ],
    [
      'connector',
      '      return chargeAnswer(answer as unknown as AcmeCharge);',
      '      this.seen.add(reference);\n      return chargeAnswer(answer as unknown as AcmeCharge);',
    ],
    [
      'connector',
      "    return this.operateOn(request, 'refunds'",
      "    if (!this.seen.has(request.reference)) return Promise.resolve({ outcome: 'refused', reason: 'unknown', retryable: false });\n    return this.operateOn(request, 'refunds'",
    ],
  ),
  mistake('changes the request', 'approves, and holds exactly the requested amount', [
    'connector',
    "    const amount = minorOf(request);\n    if ('refusal' in amount)\n      return { outcome: 'soft",
    "    request.currency = request.currency.toUpperCase();\n    const amount = minorOf(request);\n    if ('refusal' in amount)\n      return { outcome: 'soft",
  ]),
  mistake('needs an id to void', 'voids an unknown reference, so that no charge is made under it', [
    'connector',
    '      const body = { reference: request.reference };',
    "      if (request.transactionId === null) throw new Error('no id');\n      const body = { reference: request.reference };",
  ]),
  mistake('confirms a void without an id', 'voids an unknown reference, so that no charge is made under it', [
    'connector',
    '      const body = { reference: request.reference };',
    "      if (request.transactionId === null) return { outcome: 'confirmed' };\n      const body = { reference: request.reference };",
  ]),
  mistake('shows the key in full', 'a credential that proves who calls is a secret', [
    'connector',
    "such as acme_0123abcd', required: true }",
    "such as acme_0123abcd', required: true, isPublic: true }",
  ]),
  mistake('takes a key with anything after it', 'credentials have lines, spaces or the values of headers in them', [
    'connector',
    '/^acme_[a-z0-9]{8,64}$/',
    '/^acme_[a-z0-9]{8,64}/',
  ]),
  mistake('repeats a wrong credential', 'a wrong credential is refused without repeating it', [
    'connector',
    "    return credentialErrors('Acme', CREDENTIALS, credentials);",
    "    return credentialErrors('Acme', CREDENTIALS, credentials).map((one) => ({ ...one, message: `${one.message}, not ${String(credentials[one.field])}` }));",
  ]),
  mistake('takes unknown credentials', 'names itself, and accepts its own credentials only', [
    'connector',
    "    return credentialErrors('Acme', CREDENTIALS, credentials);",
    "    return credentialErrors('Acme', CREDENTIALS, credentials).filter(({ field }) => field in CREDENTIALS);",
  ]),
  mistake('says that it looks up voids', 'finds a void by its id and by its key, and no other, if it can', [
    'connector',
    "operationLookup: ['capture', 'refund'],",
    "operationLookup: ['capture', 'refund', 'void'],",
  ]),
  mistake('refunds under the charge’s reference', 'says what the charge is when it refuses a void, if it does', [
    'connector',
    '{ credentials, idempotencyKey: key }: OperationRequest',
    '{ credentials, reference: key }: OperationRequest',
  ]),
  mistake('does not encode a token', 'a method that the account does not have is removed', [
    'connector',
    '`/sources/${encodeURIComponent(token)}`',
    '`/sources/${token}`',
  ]),
  mistake('does not encode a transaction’s id', 'a transaction’s id has the form of a path', [
    'connector',
    'encodeURIComponent(String(request.transactionId))}/${kind}',
    'String(request.transactionId)}/${kind}',
  ]),
  mistake(
    'charges a merchant’s payment as the payer’s',
    'a payment method is saved, charged without the payer, and removed',
    ['connector', "merchant_initiated: initiator === 'merchant',", 'merchant_initiated: false,'],
  ),
  mistake('calls the provider without the service’s client', 'answers unavailable if no byte of the call was sent', [
    'api',
    'await this.http.call(',
    'await (async ({ url, ...rest }: { method: string; url: URL; headers: Record<string, string>; body?: string }, _signal: AbortSignal) => {\n      const got = await fetch(url, rest);\n      return { statusCode: got.status, headers: {}, body: Buffer.from(await got.arrayBuffer()) };\n    })(',
  ]),
];
