// Mistakes in what answers of the provider mean.
import { mistake, type Mistake } from './mistake.js';

export const ANSWERS_MORE: readonly Mistake[] = [
  mistake('keeps a failed operation pending', 'tells that a capture has failed after it was accepted, if it can', [
    'charges',
    "if (status === 'failed') return { outcome: 'refused', operationId, reason: 'Acme could not do it', retryable: true };",
    "if (status === 'failed') return { outcome: 'pending', operationId };",
  ]),
  mistake('refuses an operation of an unknown status', 'the answer to a capture has an unknown value or lacks one', [
    'charges',
    "throw new Error('Acme answered an operation with an unknown status');",
    "return { outcome: 'refused', reason: 'unknown', retryable: false };",
  ]),
  mistake(
    'leaves out the id of the operation',
    'gives back parts with ids of their own, and never more than all, if it can',
    [
      'charges',
      "if (status === 'succeeded') return { outcome: 'confirmed', operationId };",
      "if (status === 'succeeded') return { outcome: 'confirmed' };",
    ],
  ),
  mistake(
    'tells the charge’s id as that of the refund',
    'gives back parts with ids of their own, and never more than all, if it can',
    [
      'connector',
      'return operationAnswer(answer as unknown as AcmeOperation);',
      'return operationAnswer({ ...(answer as unknown as AcmeOperation), id: String(request.transactionId) });',
    ],
  ),
  mistake('confirms a void that was too late', 'never voids a captured charge', [
    'connector',
    'const charge = await this.lookup(request, signal);\n',
    "if (answer.reason.includes('too_late')) return { outcome: 'confirmed' };\n    const charge = await this.lookup(request, signal);\n",
  ]),
  mistake('does not find a look-up’s charge', 'returns the provider’s state of a charge, if it has a look-up', [
    'connector',
    "charges.length === 0 ? { status: 'not_found' }",
    "charges.length < 2 ? { status: 'not_found' }",
  ]),
  mistake(
    'looks up any charge',
    'the look-up of each kind of charge shows its state',
    [
      'connector',
      'const path = `/charges?reference=${encodeURIComponent(reference)}`;',
      'const path = `/charges?reference=${this.last ??= encodeURIComponent(reference)}`;',
    ],
    [
      'connector',
      '  readonly accountsAreShared = false;',
      '  readonly accountsAreShared = false;\n  private last: string | undefined;',
    ],
  ),
  mistake('finds an operation of another kind', 'finds a capture by its id and by its key, and no other, if it can', [
    'connector',
    '.find((one) => one.kind === kind)',
    '.find((one) => one.kind !== kind)',
  ]),
  mistake(
    'finds the operation by the transaction’s key only',
    'finds a capture by its id and by its key, and no other, if it can',
    [
      'connector',
      'operationId === null ? `key=${idempotencyKey}`',
      'operationId === null ? `key=${String(request.transactionId)}`',
    ],
  ),
  mistake('has no look-up by the operation’s id', 'finds a capture by its id and by its key, and no other, if it can', [
    'connector',
    '`id=${encodeURIComponent(operationId)}`',
    '`id=${encodeURIComponent(String(request.transactionId))}`',
  ]),
  mistake('saves a method without being asked', 'nothing is saved without `save`, or by a declined charge', [
    'connector',
    'save: save === true,',
    'save: true,',
  ]),
  mistake('does not save', 'a payment method is saved, charged without the payer, and removed', [
    'connector',
    'save: save === true,',
    'save: false,',
  ]),
  mistake('does not tell the saved method', 'a payment method is saved, charged without the payer, and removed', [
    'charges',
    '...(token !== undefined && { savedMethod: { token } })',
    '',
  ]),
  mistake('declares another version of the port', 'was made for this version of the port', [
    'connector',
    'readonly portVersion = PORT_VERSION;',
    'readonly portVersion = PORT_VERSION - 1;',
  ]),
  mistake('promises an idempotency window in hours', 'the capabilities agree with the members', [
    'connector',
    '23 * 3_600_000',
    '23',
  ]),
  mistake(
    'confirms an operation of an unknown status',
    'the answer is an empty object, where the provider tells more, in any call',
    [
      'charges',
      "throw new Error('Acme answered an operation with an unknown status');",
      "return { outcome: 'confirmed', operationId };",
    ],
  ),
  mistake(
    'confirms a void without reading the answer',
    'the answer is an empty object, where the provider tells more, in any call',
    [
      'connector',
      "if (status !== 'cancelled') throw new Error('Acme did not say that it is cancelled');",
      'void status;',
    ],
  ),
];
