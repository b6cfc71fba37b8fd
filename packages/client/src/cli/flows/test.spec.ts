import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { prepared, runProgram } from '../run.js';
import { describeFlows } from './flows-commands.js';

const FLOWS = `flows:
  checkout:
    strategy: rules
    shops:
      - { shop: Berlin, weight: 3 }
      - { shop: Paris, conditions: { currencies: [EUR] } }
    rules:
      - { when: { country: { equals: NO } }, decline: { code: blocked } }
      - { when: { country: { equals: FR } }, use: { strategy: weighted, shops: [Paris] }, otherwise: refuse }
    default: { strategy: weighted, shops: [Berlin, Paris] }
    assertions:
      - { when: { country: { equals: FR } }, never: Berlin }
`;
const EXAMPLES = `shops:
  Berlin: { provider: stripe, account: eu, refused_currencies: [JPY], payment_method_types: [card] }
examples:
  - { flow: checkout, payment: { currency: EUR, country: FR }, shop: Paris }
  - { flow: checkout, payment: { currency: EUR, country: DE }, shops: [Paris, Berlin] }
  - { flow: checkout, payment: { currency: EUR, country: DE }, down: [Paris], shop: Berlin }
  - { flow: checkout, payment: { country: NO }, declined: blocked }
  - { flow: checkout, payment: { country: FR }, no_shop: true, name: dollars from France }
  - { flow: checkout, payment: { amount: 500, currency: JPY, country: DE }, no_shop: true }
  - flow: checkout
    payment: { currency: EUR, payment_method: { options: [{ provider: stripe }] } }
    shop: Berlin
  - { flow: checkout, payment: { currency: EUR, payment_method: { type: paypal } }, shops: [Paris], name: PayPal }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flows-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `flows test` on files with these texts. */
async function test(...texts: string[]): Promise<{ exitCode: number; out: string }> {
  const paths = texts.map((text, index) => {
    const path = join(folder, `${index}.yaml`);
    writeFileSync(path, text);
    return path;
  });
  return run('test', ...paths);
}

async function run(...args: string[]): Promise<{ exitCode: number; out: string }> {
  let out = '';
  const write = (text: string): void => void (out += text);
  const terminal = { environment: () => ({}), out: write, err: write };
  const program = describeFlows(prepared(new Command('flows'), terminal), terminal);
  const exitCode = await runProgram(program, args, terminal);
  return { exitCode, out: out.replaceAll(`${folder}/`, '') };
}

describe('flows test', () => {
  it('runs assertions and examples of one file without a service', async () => {
    expect(await test(FLOWS + EXAMPLES)).toEqual({
      exitCode: 0,
      out: `flow checkout
  ok    assertions[0]
  ok    100 EUR from FR
  ok    100 EUR from DE
  ok    100 EUR from DE while Paris is down
  ok    100 USD from NO
  ok    dollars from France
  ok    500 JPY from DE
  ok    100 EUR
  ok    PayPal
9 hold, 0 fail
`,
    });
  });

  it('reads examples and shops of another file', async () => {
    expect(await test(EXAMPLES, FLOWS)).toMatchObject({ exitCode: 0, out: expect.stringContaining('9 hold') });
  });

  it('says where a payment goes instead, and ends with 1', async () => {
    const examples = `examples:
  - { flow: checkout, payment: { currency: EUR, country: DE }, shop: Paris }
  - { flow: checkout, payment: { country: NO }, shop: Paris }
  - { flow: checkout, payment: { country: FR }, declined: blocked }
  - { flow: checkout, payment: { country: DE }, no_shop: true }
`;
    const never = FLOWS.replace('equals: FR } }, never: Berlin', 'equals: DE } }, never: Berlin');
    expect(await test(never, examples)).toEqual({
      exitCode: 1,
      out: `flow checkout
  FAIL  assertions[0]  (0.yaml:12)
        must never go to Berlin, but {"amount":100,"currency":"USD","country":"DE"} can
  FAIL  100 EUR from DE  (1.yaml:2)
        it goes to Berlin (75 %), Paris (25 %), expected Paris
  FAIL  100 USD from NO  (1.yaml:3)
        a rule declines it with blocked, expected Paris
  FAIL  100 USD from FR  (1.yaml:4)
        no shop takes it, expected to be declined with blocked
  FAIL  100 USD from DE  (1.yaml:5)
        it goes to Berlin, expected no shop
0 hold, 5 fail
`,
    });
  });

  it.each([
    ['weight: 3', 'weight: 0', '0.yaml:5: flow checkout: shops[0].weight must not be less than 1, got 0'],
    [
      'shops: [Paris]',
      'shops: [Pari]',
      'rules[1].use.shops[0] names no known shop, takes one of Berlin, Paris, got Pari',
    ],
    ['equals: NO', 'equals: XX', '0.yaml:8: flow checkout: rules[0].when.country.equals must be an ISO 3166-1'],
    [
      'strategy: rules',
      'strategy: rule',
      '0.yaml:3: flow checkout: strategy must be one of the following values: round',
    ],
    ['  checkout:', '  checkout: []\n  other:', '0.yaml:2: flow checkout takes a map'],
    ['flow: checkout', 'flow: checkin', '1.yaml:4: no flow is called checkin, takes one of checkout'],
    [
      'shop: Paris }',
      'shop: Pari }',
      '1.yaml:4: examples[0].shop names no known shop, takes one of Berlin, Paris, got Pari',
    ],
    [
      'shop: Paris }',
      'shop: Paris, no_shop: true }',
      'examples[0] must have exactly one of shop, shops, declined, no_shop',
    ],
    ['country: FR }, shop', 'land: FR }, shop', '1.yaml:4: examples[0].payment.land is not a known field'],
    ['amount: 500', 'amount: 500.5', 'examples[5].payment.amount must have at most 0 decimals in JPY, got 500.5'],
    ['account: eu', 'account: e u', '1.yaml:2: shops.Berlin.account must match'],
    ['examples:', 'examples: {}\nmore:', '1.yaml:4: unknown field more, takes flows, shops, examples'],
  ])('names the place of a bad value, and ends with 2: %s → %s', async (from, to, message) => {
    const texts = [FLOWS, EXAMPLES].map((text) => text.replace(from, to));
    const { exitCode, out } = await test(...texts);
    expect(out).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('names all bad values of all files', async () => {
    const { out } = await test(
      FLOWS.replace('weight: 3', 'weight: 0'),
      EXAMPLES.replaceAll('shop: Paris', 'shop: Pari'),
    );
    expect(out).toMatch(/^0\.yaml:5: .*\n1\.yaml:4: .*\n2 invalid, nothing was tested\n$/);
  });

  it('refuses a flow that two files have, and a file that does not exist', async () => {
    expect(await test(FLOWS, FLOWS)).toMatchObject({
      exitCode: 2,
      out: expect.stringContaining('1.yaml:2: flow checkout is in 0.yaml too'),
    });
    expect(await run('test', join(folder, 'none.yaml'))).toMatchObject({
      exitCode: 2,
      out: expect.stringContaining('none.yaml cannot be read'),
    });
  });

  it('writes JSON for programs', async () => {
    const { out } = await test(FLOWS);
    const path = join(folder, '0.yaml');
    expect(JSON.parse((await run('test', '--json', path)).out)).toEqual({
      results: [{ flow: 'checkout', subject: 'assertions[0]', place: '0.yaml:12' }],
      errors: [],
    });
    expect(out).toContain('1 hold, 0 fail');
  });
});
