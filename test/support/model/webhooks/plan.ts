import fc from 'fast-check';
import { type Behaviour, BEHAVIOURS, ORIGINS } from './webhook-harness.js';

// A plan for one merchant's webhooks, as plain data: numbers select among the objects that exist then.

export const SHOPS = 2;
const PATHS = ['/hooks', '/hooks?who=zebra', '/other/zebra#there'] as const;

/** Spellings of the scheme; the origin is the same. */
export const FORMS = { plain: 'http://', upper: 'HTTP://' } as const;

export interface Address {
  form: keyof typeof FORMS;
  origin: number;
  path: (typeof PATHS)[number];
}

export type Step =
  | { do: 'pay'; token: string; shop: number; to: Address | null; isKnown: boolean }
  | { do: 'act'; payment: number; action: 'cancel' | 'refund' }
  | { do: 'notify'; payment: number; status: 'completed' | 'failed' }
  | { do: 'retry'; delivery: number; to: Address | null }
  | { do: 'redeliver'; shop: number | null; status: 'failed' | 'delivered'; to: Address | null; isSinceDrain: boolean }
  | { do: 'replay'; shop: number; status: 'failed' | 'delivered' | null }
  | { do: 'test'; shop: number; to: Address }
  | { do: 'rotate'; shop: number; overlap: number; activateIn: number; given: 'none' | 'latest' | 'signing' }
  | { do: 'answer'; origin: number; behaviour: Behaviour }
  | { do: 'erase'; payment: number }
  | { do: 'pass'; shop: number }
  | { do: 'sign'; shop: number; with: 'shared_secret' | 'public_key' | 'another_key'; overlap: number }
  | { do: 'disturb'; how: 'start' | 'stop' | 'replace' | 'cut' };

/** Steps that run at the same time, and whether everything drains before. */
export interface Burst {
  drainsFirst: boolean;
  steps: Step[];
}

const index = fc.nat({ max: 30 });
const shop = fc.nat({ max: SHOPS - 1 });
const origin = fc.nat({ max: ORIGINS - 1 });
const address: fc.Arbitrary<Address> = fc.record({
  form: fc.constantFrom(...(Object.keys(FORMS) as Address['form'][]), 'plain', 'plain', 'plain'),
  origin,
  path: fc.constantFrom(...PATHS),
});
const ended = fc.constantFrom<'failed' | 'delivered'>('failed', 'delivered');
const step = <D extends Step['do']>(
  name: D,
  fields: { [F in Exclude<keyof Extract<Step, { do: D }>, 'do'>]: fc.Arbitrary<Extract<Step, { do: D }>[F]> },
): fc.Arbitrary<Step> => fc.record({ do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Step>;

const TOKENS = ['tok_success', 'tok_success', 'tok_decline', 'tok_pending'];

const payments = step('pay', {
  token: fc.constantFrom(...TOKENS),
  shop,
  to: fc.option(address, { freq: 8 }),
  isKnown: fc.boolean(),
});

const steps = fc.oneof(
  { weight: 8, arbitrary: payments },
  { weight: 2, arbitrary: step('act', { payment: index, action: fc.constantFrom('cancel', 'refund') }) },
  { weight: 2, arbitrary: step('notify', { payment: index, status: fc.constantFrom('completed', 'failed') }) },
  { weight: 5, arbitrary: step('retry', { delivery: index, to: fc.option(address, { freq: 1 }) }) },
  {
    weight: 2,
    arbitrary: step('redeliver', {
      shop: fc.option(shop, { freq: 1 }),
      status: ended,
      to: fc.option(address, { freq: 1 }),
      isSinceDrain: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: step('replay', { shop, status: fc.option(ended, { freq: 1 }) }) },
  { weight: 1, arbitrary: step('test', { shop, to: address }) },
  {
    weight: 3,
    arbitrary: step('rotate', {
      shop,
      overlap: fc.constantFrom(0, 1, 3_600),
      activateIn: fc.constantFrom(0, 0, 1, 3_600),
      given: fc.constantFrom('none', 'latest', 'signing'),
    }),
  },
  {
    weight: 6,
    arbitrary: step('answer', {
      origin,
      behaviour: fc.constantFrom(...(Object.keys(BEHAVIOURS) as Behaviour[]), 'fine'),
    }),
  },
  { weight: 2, arbitrary: step('pass', { shop }) },
  {
    weight: 2,
    arbitrary: step('sign', {
      shop,
      with: fc.constantFrom('shared_secret', 'public_key', 'another_key'),
      overlap: fc.constantFrom(0, 1, 3_600),
    }),
  },
  { weight: 1, arbitrary: step('erase', { payment: index }) },
  {
    weight: 1,
    arbitrary: step('disturb', { how: fc.constantFrom('start', 'stop', 'replace', 'cut') }),
  },
);

const burst: fc.Arbitrary<Burst> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      drainsFirst: fc.boolean(),
      steps: fc.array(steps, { minLength: 1, maxLength: 12, size: 'max' }),
    }),
  },
  { weight: 1, arbitrary: steps.map((step) => ({ drainsFirst: true, steps: [step] })) },
);
/** Creates payments for the later steps. */
const beginning: fc.Arbitrary<Burst> = fc.record({
  drainsFirst: fc.constant(false),
  steps: fc.array(payments, { minLength: 1, maxLength: 6, size: 'max' }),
});

/** Ends the rotations; then another webhook is signed. */
const ENDING: readonly Burst[] = [
  { drainsFirst: false, steps: [0, 1].map((shop) => ({ do: 'pass', shop })) },
  {
    drainsFirst: true,
    steps: [0, 1].map((shop) => ({
      do: 'pay',
      token: 'tok_success',
      shop,
      to: { form: 'plain', origin: 0, path: '/hooks' },
      isKnown: false,
    })),
  },
];

/** Each list runs for a separate merchant, all at the same time. */
export const plans = (merchants: number, bursts: number): fc.Arbitrary<Burst[][]> =>
  fc.array(
    fc
      .tuple(beginning, fc.array(burst, { minLength: 1, maxLength: bursts, size: 'max' }))
      .map(([first, others]) => [first, ...others, ...ENDING]),
    { minLength: 1, maxLength: merchants, size: 'max' },
  );
