import type { Condition, FieldTest } from '../definition/condition.js';
import { countryWords, currencyWords, andOf, numberWords, orOf, schemeWords } from './value-words.js';

/** The words of a field. `list`: some of its values, joined. */
interface FieldWords {
  value: (value: unknown) => string;
  is: (list: string) => string;
  present: string;
  absent: string;
  /** Its values in general, for a list that grows or shrinks. */
  values: string;
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `“${value}”` : String(value));

const FIELDS: Readonly<Record<string, FieldWords>> = {
  currency: {
    value: currencyWords,
    is: (list) => `in ${list}`,
    present: 'with a currency',
    absent: 'without a currency',
    values: 'currencies',
  },
  country: {
    value: countryWords,
    is: (list) => `from ${list}`,
    present: 'with a country',
    absent: 'without a country',
    values: 'countries',
  },
  amount: {
    value: numberWords,
    is: (list) => `of exactly ${list}`,
    present: 'with an amount',
    absent: 'without an amount',
    values: 'amounts',
  },
  customer_id: {
    value: String,
    is: (list) => `of customer ${list}`,
    present: 'with a customer',
    absent: 'without a customer',
    values: 'customers',
  },
  'payment_method.type': {
    value: String,
    is: (list) => `by ${list}`,
    present: 'with a known kind of payment method',
    absent: 'without a known kind of payment method',
    values: 'kinds of payment method',
  },
  'card.scheme': {
    value: schemeWords,
    is: (list) => `with ${list} cards`,
    present: 'with a known card scheme',
    absent: 'without a known card scheme',
    values: 'card schemes',
  },
  'card.bin': {
    value: String,
    is: (list) => `with cards that begin with ${list}`,
    present: 'with known first digits of the card',
    absent: 'without known first digits of the card',
    values: 'first digits',
  },
  'card.funding': {
    value: (funding) => (funding === 'unknown' ? 'unknown kinds of' : String(funding)),
    is: (list) => `with ${list} cards`,
    present: 'with a known kind of card',
    absent: 'without a known kind of card',
    values: 'kinds of card',
  },
  'card.issuer_country': {
    value: countryWords,
    is: (list) => `with cards issued in ${list}`,
    present: 'with a known issuer country',
    absent: 'without a known issuer country',
    values: 'issuing countries',
  },
};

/** The fields that have words of their own; a spec compares them with the fields of conditions. */
export const FIELDS_WITH_WORDS = Object.keys(FIELDS);

export function fieldWords(field: string): FieldWords {
  if (Object.hasOwn(FIELDS, field)) return FIELDS[field]!;
  const path = field.slice('metadata.'.length);
  return {
    value: quoted,
    is: (list) => `with ${path} ${list}`,
    present: `with ${path}`,
    absent: `without ${path}`,
    values: `values of ${path}`,
  };
}

/** A text, and how its parts are joined: a group inside a group of the other kind gets brackets. */
interface Phrase {
  text: string;
  join: 'none' | 'and' | 'or';
}

const atom = (text: string): Phrase => ({ text, join: 'none' });

/** The payments that meet a condition, such as “payments in euros and with Maestro cards issued in Germany”. */
export function paymentsWords(condition: Condition): string {
  const { text } = phraseOf(condition);
  return text === '' ? 'all payments' : `payments ${text}`;
}

function phraseOf(condition: Condition): Phrase {
  const cards = cardPhrases(condition);
  const others = Object.entries(condition).filter(([field]) => cards.length === 0 || !isCardFact(field));
  return both([...others.flatMap(([key, part]) => phrasesOf(key, part as unknown)), ...cards]);
}

function phrasesOf(key: string, part: unknown): Phrase[] {
  if (key === 'all') return [both((part as Condition[]).map(phraseOf))];
  if (key === 'any') return [either((part as Condition[]).map(phraseOf))];
  if (key === 'not') return [negated(phraseOf(part as Condition))];
  return testWords(key, part as FieldTest).map(atom);
}

const bracketed = ({ text, join }: Phrase, inside: Phrase['join']): string =>
  join === 'none' || join === inside ? text : `(${text})`;

function both(parts: readonly Phrase[]): Phrase {
  const given = parts.filter(({ text }) => text !== '');
  if (given.length <= 1) return given[0] ?? atom('');
  return { text: given.map((part) => bracketed(part, 'and')).join(' and '), join: 'and' };
}

function either(parts: readonly Phrase[]): Phrase {
  if (parts.length === 1) return parts[0]!;
  const texts = parts.map((part) => (part.text === '' ? 'of any kind' : bracketed(part, 'or')));
  return { text: texts.join(' or '), join: 'or' };
}

function negated({ text, join }: Phrase): Phrase {
  if (text === '') return atom('of no kind');
  return atom(join === 'none' && !text.startsWith('not ') ? `not ${text}` : `not (${text})`);
}

/** One phrase for each test of a field; a minimum and a maximum are one. */
function testWords(field: string, test: FieldTest): string[] {
  const { value, is, present, absent } = fieldWords(field);
  const listed = (values: unknown): string => is(orOf((Array.isArray(values) ? values : [values]).map(value)));
  const { equals, in: some, not, exists, min, max, starts_with: prefixes } = test;
  return [
    ...(equals === undefined ? [] : [listed(equals)]),
    ...(some === undefined ? [] : [listed(some)]),
    ...(not === undefined ? [] : [`not ${listed(not)}`]),
    ...(prefixes === undefined ? [] : [listed(prefixes)]),
    ...(exists === undefined ? [] : [exists ? present : absent]),
    ...rangeWords(min, max),
  ];
}

function rangeWords(min: number | undefined, max: number | undefined): string[] {
  if (min !== undefined && max !== undefined) return [`of ${numberWords(min)} to ${numberWords(max)}`];
  if (min !== undefined) return [`of at least ${numberWords(min)}`];
  return max === undefined ? [] : [`of at most ${numberWords(max)}`];
}

const CARD_FACTS = ['card.scheme', 'card.funding', 'card.issuer_country'] as const;
const isCardFact = (field: string): boolean => CARD_FACTS.some((fact) => fact === field);

/** Facts about the same card in one phrase, such as “with Maestro debit cards issued in Germany”. */
function cardPhrases(condition: Condition): Phrase[] {
  const [scheme, funding, issuer] = CARD_FACTS.map((fact) => condition[fact]);
  const tests = [scheme, funding, issuer].filter((test) => test !== undefined);
  if (tests.length < 2 || !tests.every(namesValues)) return [];
  const of = (field: string, test: FieldTest | undefined): string =>
    test ? orOf((test.in ?? [test.equals]).map(fieldWords(field).value)) : '';
  const kind = [of('card.scheme', scheme), of('card.funding', funding), 'cards'].filter((text) => text !== '');
  return [atom(`with ${kind.join(' ')}${issuer ? ` issued in ${of('card.issuer_country', issuer)}` : ''}`)];
}

/** Whether the only test is for one of some values. */
const namesValues = (test: FieldTest): boolean =>
  Object.keys(test).length === 1 && (test.equals !== undefined || test.in !== undefined);

/** The words of a change of the lists in a condition; `undefined`: more than its lists changes. */
export function listChangeWords(before: Condition, after: Condition): string | undefined {
  const old = leavesOf(before, '', false);
  const current = leavesOf(after, '', false);
  if (old.size !== current.size) return undefined;
  const changes: string[] = [];
  for (const [path, { values, field, isExcluding }] of old) {
    const now = current.get(path)?.values;
    if (now === undefined) return undefined;
    if (JSON.stringify(values) === JSON.stringify(now)) continue;
    if (!Array.isArray(values) || !Array.isArray(now)) return undefined;
    changes.push(gainsWords(field, isExcluding, values, now));
  }
  return changes.length === 0 ? undefined : andOf(changes);
}

function gainsWords(
  field: string,
  isExcluding: boolean,
  before: readonly unknown[],
  after: readonly unknown[],
): string {
  const { value, values } = fieldWords(field);
  const added = after.filter((each) => !before.includes(each)).map(value);
  const removed = before.filter((each) => !after.includes(each)).map(value);
  const parts = [
    ...(added.length > 0 ? [`gain ${andOf(added)}`] : []),
    ...(removed.length > 0 ? [`lose ${andOf(removed)}`] : []),
  ];
  const verbs = parts.length > 0 ? parts.join(' and ') : 'are in another order';
  return `the ${isExcluding ? 'excluded ' : ''}${values} ${verbs}`;
}

interface Leaf {
  field: string;
  values: unknown;
  isExcluding: boolean;
}

/** The values of all tests by their paths. */
function leavesOf(condition: Condition, path: string, isExcluding: boolean): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const put = (found: Map<string, Leaf>): void => found.forEach((leaf, at) => leaves.set(at, leaf));
  for (const [key, part] of Object.entries(condition)) {
    const at = `${path}/${key}`;
    if (key === 'not') put(leavesOf(part as Condition, at, !isExcluding));
    else if (key === 'all' || key === 'any')
      (part as Condition[]).forEach((each, index) => put(leavesOf(each, `${at}/${index}`, isExcluding)));
    else
      for (const [test, values] of Object.entries(part as FieldTest))
        leaves.set(`${at}/${test}`, { field: key, values, isExcluding: isExcluding !== (test === 'not') });
  }
  return leaves;
}
