// Mistakes in what answers of the provider mean.
import { mistake, type Mistake } from './mistake.js';

export const ANSWERS: readonly Mistake[] = [
  mistake(
    'reads an unknown status as a decline',
    'the answer to an approved charge has an unknown value or lacks one',
    [
      'charges',
      "    default:\n      throw new Error('Acme answered a charge with another status');",
      "    default:\n      return { transactionId, outcome: 'soft_declined', declineCode: 'card_declined' };",
    ],
  ),
  mistake('reads an unknown status as paid', 'the answer to a declined charge has an unknown value or lacks one', [
    'charges',
    "    default:\n      throw new Error('Acme answered a charge with another status');",
    "    default:\n      return { ...known, outcome: 'approved' };",
  ]),
  mistake('approves what is only authorised', 'authorises with a time until when it can be captured, if it can', [
    'charges',
    "return { ...known, outcome: 'authorized', captureBefore: fromSeconds(before) };",
    "return { ...known, outcome: 'approved' };",
  ]),
  mistake('takes seconds for milliseconds', 'the look-up shows authorised, voided and refunded charges', [
    'charges',
    '(seconds as number) * 1_000',
    'seconds as number',
  ]),
  mistake(
    'approves a charge that is pending',
    'parses notifications with the reference, the amount and the currency of the payment',
    [
      'charges',
      "    case 'pending':\n      return { transactionId, outcome: 'processing' };",
      "    case 'pending':\n      return { transactionId, outcome: 'approved' };",
    ],
  ),
  mistake('forgets the payer’s step', 'answers processing, with the payer’s next step, if there are any', [
    'charges',
    "return { transactionId, outcome: 'processing', ...nextActionOf(charge) };",
    "return { transactionId, outcome: 'processing' };",
  ]),
  mistake(
    'sends the payer on by POST with no address',
    'answers processing, with the payer’s next step, if there are any',
    ['charges', "url: redirect, method: 'GET'", "url: '', method: 'POST'"],
  ),
  mistake('declines softly what is hard', 'answers declined, with a code, and holds nothing, if it can', [
    'charges',
    "outcome: isHard ? 'declined' : 'soft_declined'",
    "outcome: 'soft_declined'",
  ]),
  mistake('declines hard what is soft', 'answers soft_declined, with a code, and holds nothing, if it can', [
    'charges',
    "outcome: isHard ? 'declined' : 'soft_declined'",
    "outcome: 'declined'",
  ]),
  mistake('hands on codes in capitals', 'answers declined, with a code, and holds nothing, if it can', [
    'charges',
    'const { code: declineCode, isHard } = REASONS.get(reason) ?? OTHER_REASON;',
    'const { code, isHard } = REASONS.get(reason) ?? OTHER_REASON;\n      const declineCode = code.toUpperCase();',
  ]),
  mistake('leaves out the transaction’s id', 'approves, and holds exactly the requested amount', [
    'charges',
    'const known = { transactionId, ...(token',
    'const known = { ...(token',
  ]),
  mistake(
    'leaves out the id of a charge under way',
    'parses notifications with the reference, the amount and the currency of the payment',
    [
      'charges',
      "    case 'pending':\n      return { transactionId, outcome",
      "    case 'pending':\n      return { outcome",
    ],
  ),
  mistake('looks up an unknown status as open', 'the answer to a look-up has an unknown value or lacks one', [
    'charges',
    "if (!status) throw new Error('Acme answered a charge with an unknown status');",
    "if (!status) return { status: 'voided', transactionId, amount: '1', currency };",
  ]),
  mistake('looks up a refunded charge as captured', 'the look-up shows authorised, voided and refunded charges', [
    'charges',
    "['refunded', 'refunded'],",
    "['refunded', 'captured'],",
  ]),
  mistake('looks up a cancelled charge as declined', 'the look-up shows authorised, voided and refunded charges', [
    'charges',
    "['cancelled', 'voided'],",
    "['cancelled', 'open'],",
  ]),
  mistake('looks up a charge that waits as declined', 'the look-up of each kind of charge shows its state', [
    'charges',
    "['waiting_for_payer', 'open'],",
    "['waiting_for_payer', 'declined'],",
  ]),
  mistake('looks up an authorisation as captured', 'authorises with a time until when it can be captured, if it can', [
    'charges',
    "['authorized', 'authorized'],",
    "['authorized', 'captured'],",
  ]),
  mistake('confirms a pending operation', 'tells that a capture has failed after it was accepted, if it can', [
    'charges',
    "if (status === 'pending') return { outcome: 'pending', operationId };",
    "if (status === 'pending') return { outcome: 'confirmed', operationId };",
  ]),
  mistake('confirms a failed operation', 'tells that a capture has failed after it was accepted, if it can', [
    'charges',
    "if (status === 'failed') return { outcome: 'refused', operationId,",
    "if (status === 'failed') return { outcome: 'confirmed', operationId };\n  if (status === 'failed') return { outcome: 'refused', operationId,",
  ]),
];
