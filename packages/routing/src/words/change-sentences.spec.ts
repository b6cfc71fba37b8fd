import { describe, expect, it } from '@jest/globals';
import { definitionOf, type GivenDefinition } from '../definition/given-definition.js';
import { changeSentences } from './change-sentences.js';
import { definitionSentences } from './definition-sentences.js';

const NAMES = ['', 'Berlin', 'Paris', 'London'];
const nameOf = (id: number): string => NAMES[id]!;

const WEIGHTED: GivenDefinition = {
  strategy: 'weighted',
  shops: [
    { shop_id: 1, weight: 3 },
    { shop_id: 2, weight: 3 },
  ],
};
const MAESTRO = { 'card.scheme': { equals: 'maestro' }, 'card.issuer_country': { equals: 'DE' } };
const RULES: GivenDefinition = {
  strategy: 'rules',
  shops: [{ shop_id: 1 }, { shop_id: 2 }, { shop_id: 3, priority: 0 }],
  rules: [
    { when: MAESTRO, use: { shops: [2], strategy: 'priority' } },
    { name: 'Blocked', when: { country: { in: ['US'] } }, decline: { code: 'blocked' } },
    { name: 'Large', when: { amount: { min: 500 } }, use: { shops: [1], strategy: 'round_robin' } },
  ],
  default: { shops: [1, 2], strategy: 'round_robin' },
};
const [FIRST, BLOCKED, LARGE] = RULES.rules!;

const changes = (before: GivenDefinition, change: Partial<GivenDefinition>): string[] =>
  changeSentences(definitionOf(before), definitionOf({ ...before, ...change }), nameOf);

describe('definitionSentences', () => {
  it.each<[GivenDefinition['strategy'], string]>([
    ['round_robin', 'Payments go to Berlin and Paris in turn.'],
    ['weighted', 'Payments go to Berlin (75 %) and Paris (25 %).'],
    ['sticky', 'Payments go to Berlin (75 %) or Paris (25 %), always the same for a customer.'],
    ['priority', 'Payments go to Berlin first, then Paris.'],
    ['success_rate', 'Payments go to Berlin or Paris, the one that approves most at present.'],
    ['lowest_cost', 'Payments go to Berlin or Paris, the one that costs least.'],
  ])('says where payments go with %s', (strategy, first) => {
    const shops = [
      { shop_id: 2, priority: 2 },
      { shop_id: 1, weight: 3, priority: 1 },
      { shop_id: 3, enabled: false },
    ];
    const [said, ...others] = definitionSentences(
      definitionOf({ strategy, shops: [shops[1]!, shops[0]!, shops[2]!] }),
      nameOf,
    );
    expect(said).toBe(first);
    expect(others).toContain('London is switched off.');
  });

  it('says everything in a definition', () => {
    const definition: GivenDefinition = {
      ...RULES,
      shops: [
        { shop_id: 1, conditions: { currencies: ['EUR'], countries: ['DE'], min_amount: 1, max_amount: 9 } },
        ...RULES.shops.slice(1),
      ],
      rules: [{ ...FIRST!, otherwise: 'refuse' }, BLOCKED!],
      default: {
        shops: [1, 2, 3],
        strategy: 'success_rate',
        success_rate: { objective: 'margin', by: ['card.scheme', 'country'] },
      },
      max_attempts: 3,
      capture: 'manual',
      assertions: [
        { when: {}, never: 3 },
        {
          when: MAESTRO,
          payment_method: { options: [{ provider: 'stripe', account: 'eu' }, { provider: 'adyen' }] },
          at_least: 1,
        },
        { when: {}, at_least_tries: 2 },
      ],
    };
    expect(definitionSentences(definitionOf(definition), nameOf)).toEqual([
      'Rule 1: payments with Maestro cards issued in Germany go to Paris, and are refused if none of these can take them.',
      'Rule “Blocked”: payments from the United States are declined with the code blocked.',
      'All other payments go to Berlin, Paris or London, the one that leaves most after declines and fees, compared by card scheme and country.',
      'Berlin takes only payments in euros and from Germany and of 1 to 9.',
      'A payment that a shop does not approve is tried with up to 3 shops.',
      'Payments are authorised first and captured later, unless they say otherwise.',
      'Always: payments never go to London.',
      'Always: payments with Maestro cards issued in Germany payable only at stripe (eu) or adyen have at least one shop to go to.',
      'Always: all payments are tried with at least 2 shops.',
    ]);
  });
});

describe('changeSentences', () => {
  it.each<[what: string, before: GivenDefinition, change: Partial<GivenDefinition>, sentences: string[]]>([
    ['nothing', RULES, {}, []],
    ['a default that is written out', WEIGHTED, { max_attempts: 1, capture: 'automatic', assertions: [] }, []],
    [
      'a weight',
      WEIGHTED,
      {
        shops: [
          { shop_id: 1, weight: 5 },
          { shop_id: 2, weight: 3 },
        ],
      },
      ['Weight of Berlin 3 → 5 (62.5 %; was 50 %).', 'So Paris gets 37.5 %; was 50 %.'],
    ],
    [
      'shops that leave and join',
      WEIGHTED,
      { shops: [{ shop_id: 1, weight: 3 }, { shop_id: 3 }] },
      ['Paris leaves the flow.', 'London joins the flow, with 25 % of the payments.', 'So Berlin gets 75 %; was 50 %.'],
    ],
    [
      'a shop that is switched off',
      WEIGHTED,
      {
        shops: [
          { shop_id: 1, weight: 3, enabled: false },
          { shop_id: 2, weight: 3 },
        ],
      },
      ['Berlin is switched off.', 'So Paris gets 100 %; was 50 %.'],
    ],
    [
      'conditions of a shop',
      WEIGHTED,
      { shops: [{ shop_id: 1, weight: 3, conditions: { countries: ['NL'], max_amount: 9 } }, WEIGHTED.shops[1]!] },
      ['Berlin takes payments from the Netherlands and of at most 9; took all payments.'],
    ],
    [
      'a priority',
      { strategy: 'priority', shops: [{ shop_id: 1 }, { shop_id: 2, priority: 2 }] },
      { shops: [{ shop_id: 1 }, { shop_id: 2, priority: 0 }] },
      [
        'Payments go to Paris first, then Berlin; was Berlin first, then Paris.',
        'Priority of Paris 2 → 0; the lowest comes first.',
      ],
    ],
    [
      'a strategy',
      WEIGHTED,
      { strategy: 'round_robin' },
      [
        'Payments go to Berlin and Paris in turn; was Berlin (50 %) and Paris (50 %).',
        'The strategy is “In turn”; was “By weight”.',
      ],
    ],
    [
      'the objective',
      { strategy: 'success_rate', shops: WEIGHTED.shops },
      { success_rate: { objective: 'margin' } },
      [
        'Payments go to Berlin or Paris, the one that leaves most after declines and fees; was Berlin or Paris, the one that approves most at present.',
      ],
    ],
    [
      'the objective with one shop',
      { strategy: 'success_rate', shops: [{ shop_id: 1 }] },
      { success_rate: { by: ['country'] } },
      ['The best shop is the one that approves most at present, compared by country.'],
    ],
    [
      'rules instead of weights',
      WEIGHTED,
      { strategy: 'rules', rules: [BLOCKED!], default: { shops: [1], strategy: 'priority' } },
      [
        'Rules decide; was Berlin (50 %) and Paris (50 %) for all payments.',
        'New rule “Blocked”: payments from the United States are declined with the code blocked.',
        'All other payments go to Berlin.',
      ],
    ],
    [
      'the shops of a rule',
      RULES,
      { rules: [{ ...FIRST!, use: { shops: [2, 3], strategy: 'priority' } }, BLOCKED!, LARGE!] },
      ['Rule 1: payments with Maestro cards issued in Germany go to London first, then Paris; was Paris.'],
    ],
    [
      'a condition',
      RULES,
      { rules: [FIRST!, BLOCKED!, { ...LARGE!, when: { amount: { min: 50 } } }] },
      ['Rule “Large” is for payments of at least 50; was for payments of at least 500.'],
    ],
    [
      'a list of a condition',
      RULES,
      { rules: [FIRST!, { ...BLOCKED!, when: { country: { in: ['US', 'CA'] } } }, LARGE!] },
      ['Rule “Blocked”: the countries gain Canada.'],
    ],
    [
      'a name',
      RULES,
      { rules: [{ name: 'Maestro', ...FIRST! }, BLOCKED!, LARGE!] },
      ['Rule 1 is now called “Maestro”.'],
    ],
    [
      'a name that is gone',
      RULES,
      { rules: [FIRST!, { when: BLOCKED!.when, decline: BLOCKED!.decline! }, LARGE!] },
      ['Rule “Blocked” no longer has a name.'],
    ],
    [
      'a decline',
      RULES,
      { rules: [FIRST!, { ...BLOCKED!, decline: { code: 'no', message: 'Not here.' } }, LARGE!] },
      [
        'Rule “Blocked”: payments from the United States are declined with the code no (“Not here.”); were declined with the code blocked.',
      ],
    ],
    [
      'a refusal',
      RULES,
      { rules: [FIRST!, BLOCKED!, { ...LARGE!, otherwise: 'refuse' }] },
      [
        'Rule “Large”: payments of at least 500 go to Berlin, and are refused if none of these can take them; was Berlin.',
      ],
    ],
    [
      'a strategy of a rule with one shop',
      RULES,
      { rules: [FIRST!, BLOCKED!, { ...LARGE!, use: { shops: [1], strategy: 'sticky' } }] },
      ['Rule “Large” has other settings for the choice of its shop.'],
    ],
    [
      'a moved rule',
      RULES,
      { rules: [LARGE!, FIRST!, BLOCKED!] },
      ['Rule “Large” is tried as number 1; was number 3.'],
    ],
    [
      'removed and new rules',
      RULES,
      { rules: [{ when: {}, use: { shops: [3], strategy: 'priority' } }, LARGE!] },
      [
        'Rule 1 is removed: payments with Maestro cards issued in Germany go to Paris.',
        'Rule “Blocked” is removed: payments from the United States are declined with the code blocked.',
        'New rule 1: all payments go to London.',
      ],
    ],
    [
      'the default',
      RULES,
      { default: { shops: [3], strategy: 'priority' } },
      ['All other payments go to London; was Berlin and Paris in turn.'],
    ],
    [
      'attempts',
      WEIGHTED,
      { max_attempts: 2 },
      ['A payment that a shop does not approve is tried with up to 2 shops; was 1.'],
    ],
    [
      'the capture',
      { ...WEIGHTED, capture: 'manual' },
      { capture: 'automatic' },
      ['Payments are captured at once, unless they say otherwise.'],
    ],
    [
      'assertions',
      { ...WEIGHTED, assertions: [{ when: {}, at_least: 1 }] },
      { assertions: [{ when: {}, at_least: 2 }] },
      [
        'New check: all payments have at least 2 shops to go to.',
        'No longer checked: all payments have at least one shop to go to.',
      ],
    ],
  ])('says %s', (_, before, change, sentences) => {
    expect(changes(before, change)).toEqual(sentences);
  });
});
