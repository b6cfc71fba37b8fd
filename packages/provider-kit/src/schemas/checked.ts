import type { z } from 'zod';
import type {
  ChargeAnswer,
  CredentialsAnswer,
  DetachAnswer,
  FieldError,
  ListedCharges,
  OperationAnswer,
  OperationReference,
  OperationState,
  PaymentProvider,
  ProviderState,
} from '../payment-provider.js';
import type { ParsedNotification } from '../provider-event.js';
import {
  accountId,
  chargeAnswer,
  credentialsAnswer,
  detachAnswer,
  foundReference,
  listedCharges,
  operationAnswer,
  operationState,
  providerState,
} from './answers.js';
import { parsedNotification } from './events.js';

/** The answers of the port's calls. */
export interface Answers {
  charge: ChargeAnswer;
  completeAction: ChargeAnswer;
  capture: OperationAnswer;
  void: OperationAnswer;
  refund: OperationAnswer;
  lookup: ProviderState;
  lookupOperation: OperationState;
  detach: DetachAnswer;
  listCharges: ListedCharges;
  checkCredentials: CredentialsAnswer;
  accountId: string | null;
  findReference: string | undefined;
  parseNotification: ParsedNotification;
}

/** Each is compiled at its first use. */
const SCHEMAS: Readonly<Record<keyof Answers & keyof PaymentProvider, z.ZodType>> = {
  charge: chargeAnswer,
  completeAction: chargeAnswer,
  capture: operationAnswer,
  void: operationAnswer,
  refund: operationAnswer,
  lookup: providerState,
  lookupOperation: operationState,
  detach: detachAnswer,
  listCharges: listedCharges,
  checkCredentials: credentialsAnswer,
  accountId,
  findReference: foundReference,
  parseNotification: parsedNotification,
};

/** A connector's answer is not of the port's form. The messages contain nothing of the answer. */
export class MalformedAnswer extends Error {
  readonly code = 'malformed_answer';

  constructor(
    readonly call: keyof Answers,
    readonly errors: FieldError[],
  ) {
    super(`${call}: ${errors.map(({ field, message }) => `${field} ${message}`).join('; ')}`);
    this.name = 'MalformedAnswer';
  }
}

const MAX_ERRORS = 10;

/** The answer, with its texts for people cut and without unknown fields. Throws `MalformedAnswer`. */
export function checkedAnswer<Call extends keyof Answers>(call: Call, answer: unknown): Answers[Call] {
  const { success, data, error } = SCHEMAS[call].safeParse(answer);
  if (success) return data as Answers[Call];
  const errors = error.issues.slice(0, MAX_ERRORS).map(({ path, message }) => ({
    field: path.length === 0 ? 'answer' : path.join('.'),
    message,
  }));
  throw new MalformedAnswer(call, errors);
}

/**
 * The provider, whose calls reject with `MalformedAnswer` instead of an answer that is not of the port's form. The service
 * uses every connector through it, and so does the conformance suite.
 */
export function checkedProvider(provider: PaymentProvider): PaymentProvider {
  const call = (name: keyof Answers) =>
    async function checked(...given: unknown[]): Promise<unknown> {
      const send = provider[name] as (...all: unknown[]) => unknown;
      const answer = checkedAnswer(name, await send.apply(provider, given));
      if (name === 'charge' || name === 'completeAction')
        requireId(name, answer as ChargeAnswer, given[0] as OperationReference);
      return answer;
    };
  const calls = new Map<PropertyKey, unknown>(
    (Object.keys(SCHEMAS) as (keyof Answers)[]).map((name) => [name, call(name)]),
  );
  // not a proxy of the provider itself: one of a frozen object may not return other members
  return new Proxy({} as PaymentProvider, {
    get(_, name) {
      const member: unknown = Reflect.get(provider, name);
      return typeof member === 'function' ? (calls.get(name) ?? (member.bind(provider) as unknown)) : member;
    },
    has: (_, name) => Reflect.has(provider, name),
  });
}

/** A charge that holds money has an id: captures and refunds need it. */
function requireId(call: keyof Answers, answer: ChargeAnswer, { transactionId: known }: OperationReference): void {
  const holdsMoney = answer.outcome === 'approved' || answer.outcome === 'authorized';
  if (!holdsMoney || typeof (answer.transactionId ?? known) === 'string') return;
  throw new MalformedAnswer(call, [{ field: 'transactionId', message: `must be present with ${answer.outcome}` }]);
}
