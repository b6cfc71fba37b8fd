// Reference implementation of routing: which shops a payment may be sent to. It is based only on the documents (the
// specification, docs/openapi.json, docs/decisions 013 to 015 and 031), and imports no code under test.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, Json>;

export interface Payment {
  amount: number;
  currency: string;
  country?: string;
  customer_id?: number;
  metadata?: JsonObject;
  payment_method?: { type?: string; card?: JsonObject; options?: Option[] };
}

interface Option {
  provider: string;
  account?: string;
}

export interface Fee {
  percent: number;
  fixed: number;
  currency?: string;
  scheme?: string;
  payment_method_type?: string;
}

/** The account of a shop, what its provider accepts, and its fees. */
export interface Account {
  provider: string;
  account: string;
  refused: string[];
  /** The types of payment methods that its provider takes; absent: any. */
  types?: string[];
  fees: Fee[];
}

export interface Member {
  shop_id: number;
  priority: number;
  weight: number;
  enabled: boolean;
  conditions: { currencies?: string[]; countries?: string[]; min_amount?: number; max_amount?: number };
}

interface Use {
  shops: number[];
  strategy: string;
}

interface Decline {
  code: string;
  message?: string;
}

interface Claim {
  when: JsonObject;
  payment_method?: { options: Option[] };
  never?: number;
  at_least?: number;
  at_least_tries?: number;
}

export interface Definition {
  strategy: string;
  shops: Member[];
  rules?: { when: JsonObject; use?: Use; otherwise?: string; decline?: Decline }[];
  default?: Use;
  max_attempts?: number;
  assertions?: Claim[];
}

export type Health = 'healthy' | 'unhealthy' | 'probing';

/** The state of all shops, by id. */
interface Shops {
  disabled: ReadonlySet<number>;
  health: ReadonlyMap<number, Health>;
  accounts: ReadonlyMap<number, Account>;
}

const DECIMALS = 4;

/** Exact value in ten-thousandths: bounds have at most four decimals. */
function units(amount: number): bigint {
  const [whole = '0', fraction = ''] = amount.toString().split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

const isScalar = (value: Json | undefined): boolean => typeof value !== 'object' || value === null;

function isSame(value: Json | undefined, named: Json, isAmount: boolean): boolean {
  if (value === undefined || !isScalar(value)) return false;
  return isAmount ? units(value as number) === units(named as number) : value === named;
}

function fieldOf(payment: Payment, field: string): Json | undefined {
  const [first, ...path] = field.split('.');
  if (field === 'payment_method.type') return payment.payment_method?.type;
  if (first === 'card') return payment.payment_method?.card?.[path[0]!];
  if (first !== 'metadata') return payment[field as 'currency'];
  return path.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value.find((_, index) => String(index) === key);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([name]) => name === key)?.[1];
  }, payment.metadata);
}

function passes(test: string, operand: Json, value: Json | undefined, isAmount: boolean): boolean {
  const isAnyOf = (list: Json[]): boolean => list.some((named) => isSame(value, named, isAmount));
  switch (test) {
    case 'equals':
      return isAnyOf([operand]);
    case 'in':
      return isAnyOf(operand as Json[]);
    case 'not':
      return !isAnyOf([operand].flat<Json[]>());
    case 'exists':
      return (value !== undefined) === operand;
    case 'starts_with':
      return (operand as string[]).some((prefix) => typeof value === 'string' && value.indexOf(prefix) === 0);
    case 'min':
      return units(value as number) >= units(operand as number);
    case 'max':
      return units(value as number) <= units(operand as number);
    default:
      throw new Error(`no test ${test}`);
  }
}

function meets(payment: Payment, condition: JsonObject): boolean {
  for (const [name, part] of Object.entries(condition)) {
    if (name === 'all') {
      for (const each of part as JsonObject[]) if (!meets(payment, each)) return false;
    } else if (name === 'any') {
      if (!(part as JsonObject[]).some((each) => meets(payment, each))) return false;
    } else if (name === 'not') {
      if (meets(payment, part as JsonObject)) return false;
    } else {
      const value = fieldOf(payment, name);
      for (const [test, operand] of Object.entries(part as JsonObject)) {
        if (!passes(test, operand, value, name === 'amount')) return false;
      }
    }
  }
  return true;
}

/** The shop's own conditions that the payment fails, with the names of the explanation. */
export function failures(member: Member, payment: Payment, shops: Shops): string[] {
  const { currencies, countries, min_amount: min, max_amount: max } = member.conditions;
  const failed: string[] = [];
  if (!member.enabled || shops.disabled.has(member.shop_id)) failed.push('disabled');
  if (currencies && !currencies.includes(payment.currency)) failed.push('currency');
  if (countries && !(payment.country && countries.includes(payment.country))) failed.push('country');
  if (min !== undefined && units(payment.amount) < units(min)) failed.push('min_amount');
  if (max !== undefined && units(payment.amount) > units(max)) failed.push('max_amount');
  const { provider, account, refused, types } = shops.accounts.get(member.shop_id)!;
  const { options, type } = payment.payment_method ?? {};
  const names = (option: Option): boolean =>
    option.provider === provider && (option.account === undefined || option.account === account);
  if (options && !options.some(names)) failed.push('no_payment_method');
  const isOfOtherType = types !== undefined && type !== undefined && !types.includes(type);
  if (refused.includes(payment.currency) || isOfOtherType) failed.push('capability_missing');
  return failed;
}

interface Branch {
  rule: number | 'default' | null;
  when: JsonObject;
  /** Absent: it declines. */
  use?: Use | undefined;
  decline?: Decline | undefined;
  otherwise?: string;
}

const branchesOf = ({ strategy, shops, rules = [], default: otherwise }: Definition): Branch[] =>
  strategy === 'rules'
    ? [...rules.map((each, rule) => ({ rule, ...each })), { rule: 'default', when: {}, use: otherwise! }]
    : [{ rule: null, when: {}, use: { shops: shops.map((shop) => shop.shop_id), strategy } }];

/** The shops that may receive a payment, and the strategy that selects among them. */
interface Expected {
  rule: number | 'default' | null;
  strategy: string;
  /** Ordered by priority, then id. */
  pool: Member[];
  fallbackToUnhealthy: boolean;
  decline?: undefined;
  refuses?: undefined;
}

/** The rule that declines a payment. */
interface Declined {
  rule: number;
  decline: Decline;
  refuses?: undefined;
}

/** The rule that refuses a payment: none of its shops accepts it, and no later rule is tried. */
interface Refused {
  rule: number;
  refuses: true;
  decline?: undefined;
}

const inOrder = (members: readonly Member[]): Member[] =>
  [...members].sort((one, other) => one.priority - other.priority || one.shop_id - other.shop_id);

/** `undefined`: no shop accepts the payment. */
export function expected(
  definition: Definition,
  payment: Payment,
  shops: Shops,
): Expected | Declined | Refused | undefined {
  let refused: Refused | undefined;
  for (const fallbackToUnhealthy of [false, true]) {
    for (const { rule, when, use, decline, otherwise } of branchesOf(definition)) {
      if (!meets(payment, when)) continue;
      if (!use) return { rule: rule as number, decline: decline! };
      const pool = inOrder(definition.shops).filter(
        (member) =>
          use.shops.includes(member.shop_id) &&
          failures(member, payment, shops).length === 0 &&
          (fallbackToUnhealthy || shops.health.get(member.shop_id) !== 'unhealthy'),
      );
      if (pool.length > 0) return { rule, strategy: use.strategy, pool, fallbackToUnhealthy };
      if (otherwise === 'refuse') {
        refused = { rule: rule as number, refuses: true };
        break;
      }
    }
  }
  return refused;
}

/** The rules that the payment meets before the one that decides (`null`: none does). */
export const passedOver = ({ rules = [] }: Definition, payment: Payment, decides: Branch['rule']): number[] =>
  rules.flatMap(({ when }, rule) =>
    meets(payment, when) && (typeof decides !== 'number' || rule < decides) ? [rule] : [],
  );

/** Whether such a payment increments the flow's counter. */
export const counts = ({ strategy }: Expected, { customer_id: id }: Payment): boolean =>
  !['success_rate', 'lowest_cost'].includes(strategy) && !(strategy === 'sticky' && id !== undefined);

/** The selected shop, where the documents define it exactly; `undefined` where they only define the shares. */
export function turn(
  { strategy, pool }: Expected,
  counter: number,
  payment: Payment,
  accounts: ReadonlyMap<number, Account>,
): Member | undefined {
  const first = pool.filter(({ priority }) => priority === pool[0]!.priority);
  if (pool.length === 1) return pool[0];
  if (strategy === 'lowest_cost') return cheapest(pool, payment, accounts);
  if (strategy === 'round_robin') return pool[counter % pool.length];
  return strategy === 'priority' ? first[counter % first.length] : undefined;
}

/** The first shop with the lowest known fee; the first shop if no fee is known. */
function cheapest(pool: readonly Member[], payment: Payment, accounts: ReadonlyMap<number, Account>): Member {
  const known = pool.flatMap((member) => {
    const fee = feeIn(payment, accounts.get(member.shop_id)!.fees);
    return fee === undefined ? [] : [{ member, fee }];
  });
  return known.find(({ fee }) => known.every((other) => other.fee >= fee))?.member ?? pool[0]!;
}

/** The fee in units of 10⁻¹⁰; `undefined`: unknown. */
function feeIn({ amount, currency, payment_method: method }: Payment, fees: readonly Fee[]): bigint | undefined {
  const facts: Partial<Record<keyof Fee, Json | undefined>> = {
    scheme: method?.card?.['scheme'],
    payment_method_type: method?.type,
    currency,
  };
  const names = ['scheme', 'payment_method_type', 'currency'] as const;
  const possible = fees.filter((fee) => names.every((name) => fee[name] === undefined || fee[name] === facts[name]));
  // each step keeps the entries that name the fact, if there are any
  const [entry] = names.reduce<readonly Fee[]>((left, name) => {
    const naming = left.filter((fee) => fee[name] !== undefined);
    return naming.length > 0 ? naming : left;
  }, possible);
  return entry && units(amount) * units(entry.percent) + units(entry.fixed) * 1_000_000n;
}

/** Whether the claim is about payments that name these accounts. */
const isAbout = ({ payment_method: method }: Claim, { payment_method: given }: Payment): boolean =>
  JSON.stringify(method?.options) === JSON.stringify(given?.options);

/** Whether the payment violates the assertion, as defined in docs/decisions/014. */
export function breaks(
  definition: Definition,
  claim: Claim,
  payment: Payment,
  accounts: ReadonlyMap<number, Account>,
): boolean {
  // an account can only keep shops out, so `never` holds for payments that name any
  const isForAll = claim.never !== undefined && !claim.payment_method;
  if (!(isForAll || isAbout(claim, payment)) || !meets(payment, claim.when)) return false;
  const allUp: Shops = { disabled: new Set(), health: new Map(), accounts };
  const takes = (member: Member): boolean => failures(member, payment, allUp).length === 0;
  const matching = branchesOf(definition).filter(({ when }) => meets(payment, when));
  const last = matching.findIndex(({ use, otherwise }) => !use || otherwise === 'refuse');
  const ways = (last < 0 ? matching : matching.slice(0, last + 1)).filter(({ use }) => use);
  const reached = definition.shops.filter(
    (member) => takes(member) && ways.some(({ use }) => use!.shops.includes(member.shop_id)),
  );
  if (claim.never !== undefined) return reached.some((member) => member.shop_id === claim.never);
  if (claim.at_least !== undefined) return reached.length < claim.at_least;
  const first = expected(definition, payment, allUp);
  const tried = first === undefined || first.decline || first.refuses ? 0 : first.pool.length;
  return Math.min(tried, definition.max_attempts ?? 1) < claim.at_least_tries!;
}
