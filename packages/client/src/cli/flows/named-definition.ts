import { withoutNulls } from '@payment-orchestrator/routing/definition/condition-errors';

/** JSON of a definition. The API checks it; here only the places of shops and defaults are known. */
export type Fields = Record<string, unknown>;

/**
 * The order of known fields in a file; others follow by name. A fixed order keeps differences of two files small.
 */
const ORDER = [
  ...[
    'name',
    'shop',
    'when',
    'payment_method',
    'use',
    'otherwise',
    'decline',
    'code',
    'message',
    'strategy',
    'success_rate',
    'by',
    'objective',
    'shops',
  ],
  ...['priority', 'weight', 'enabled', 'conditions', 'rules', 'default', 'max_attempts', 'capture', 'assertions'],
  ...['never', 'at_least', 'at_least_tries'],
  ...['account', 'countries', 'currencies', 'max_amount', 'min_amount', 'options', 'provider'],
];

/** Values that the API stores when a field is omitted; a file leaves them out. */
const DEFAULTS: Fields = { max_attempts: 1, capture: 'automatic', assertions: [] };
const RULE_DEFAULTS: Fields = { otherwise: 'next' };
const SHOP_DEFAULTS: Fields = { priority: 1, weight: 1, enabled: true, conditions: {} };

/** The definition as a file has it: shops by their names, without defaults, fields in a fixed order. */
export function named(definition: Fields, nameOf: (id: number) => string): Fields {
  return canonical(withShops(definition, 'shop_id', 'shop', (id) => nameOf(id as number)));
}

/**
 * The definition of a file in the order of `named`, with every value as the API stores it: without defaults and without
 * known fields that are `null`. So a file that was applied equals the active version.
 */
export function canonical(given: Fields): Fields {
  const definition = withShops(withoutNullFields(given) as Fields, 'shop', 'shop', String);
  const items = (name: string, defaults: Fields): Fields =>
    name in definition ? { [name]: listOf(definition[name]).map((item) => without(item, defaults)) } : {};
  const lists = { ...items('shops', SHOP_DEFAULTS), ...items('rules', RULE_DEFAULTS) };
  return ordered(without({ ...definition, ...lists }, DEFAULTS)) as Fields;
}

/** The definition of a file as the API takes it. `idOf` gets the name of a shop and its place. */
export const withIds = (definition: Fields, idOf: (name: unknown, place: Place) => unknown): Fields =>
  withShops(definition, 'shop', 'shop_id', idOf);

/** A path within a definition, such as `['shops', 0, 'shop']`. */
export type Place = (string | number)[];

/** `definition.shops[1].shop_id` → `['shops', 1, 'shop']` */
export function placeOf(field: string): Place {
  const names = field.replace(/^definition\.?/, '').match(/[^.[\]]+/g) ?? [];
  return names.map((name) => (/^\d+$/.test(name) ? Number(name) : name === 'shop_id' ? 'shop' : name));
}

/** Replaces every reference to a shop. What is not shaped like a definition stays, for the API to refuse. */
function withShops(
  definition: Fields,
  from: string,
  to: string,
  replace: (value: unknown, place: Place) => unknown,
): Fields {
  const list = (value: unknown, place: Place): unknown =>
    Array.isArray(value) ? value.map((item, index) => replace(item, [...place, index])) : value;
  const use = (value: unknown, place: Place): unknown =>
    isFields(value) && 'shops' in value ? { ...value, shops: list(value['shops'], [...place, 'shops']) } : value;
  const each = (name: string, change: (item: Fields, place: Place) => Fields): Fields => {
    const items = definition[name];
    if (!Array.isArray(items)) return {};
    return { [name]: items.map((item, index) => (isFields(item) ? change(item, [name, index]) : (item as unknown))) };
  };
  return {
    ...definition,
    ...each('shops', ({ [from]: shop, ...rest }, place) =>
      shop === undefined ? rest : { [to]: replace(shop, [...place, from]), ...rest },
    ),
    ...each('rules', (rule, place) => ('use' in rule ? { ...rule, use: use(rule['use'], [...place, 'use']) } : rule)),
    ...('default' in definition && { default: use(definition['default'], ['default']) }),
    ...each('assertions', (assertion, place) =>
      (assertion['never'] ?? null) !== null
        ? { ...assertion, never: replace(assertion['never'], [...place, 'never']) }
        : assertion,
    ),
  };
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An unknown field stays, so that the API refuses it. */
function withoutNullFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullFields);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(([name, inner]) => inner !== null || !ORDER.includes(name));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, name === 'when' ? withoutNulls(inner) : withoutNullFields(inner)]),
  );
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const without = (fields: Fields, defaults: Fields): Fields =>
  isFields(fields)
    ? Object.fromEntries(
        Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name])),
      )
    : fields;

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isFields(value)) return value;
  const rank = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  const entries = Object.entries(value).sort(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, ordered(inner)]));
}
