import {
  definitionErrors,
  definitionOf,
  type FeeEntry,
  type FieldError,
  type FlowDefinition,
  resultOf,
  shapeErrors,
  type ShopSummary,
  withoutNullFields,
} from '@payment-orchestrator/routing';
import { type Fields as Shape, fieldErrors } from '@payment-orchestrator/routing/definition/shape-errors';
import {
  booleanError,
  currencyListError,
  matching,
  textOf,
  valueList,
  type ValueRule,
} from '@payment-orchestrator/routing/definition/value-rules';
import { feeListErrors } from '@payment-orchestrator/routing/facts/fees';
import { ACCOUNT, MAX_PROVIDER_LENGTH } from '@payment-orchestrator/routing/definition/shape-errors';
import type { FlowFile } from './flow-file.js';
import { type Fields, isFields, placeOf, withIds } from './named-definition.js';

/** The assumptions of tests about a shop, from the field `shops` of a file. */
interface TestShop {
  provider?: string;
  account?: string;
  enabled?: boolean;
  fees?: (Omit<FeeEntry, 'fixed'> & { fixed?: number })[];
  captures_manually?: boolean;
  refused_currencies?: string[];
  /** Absent: any. */
  payment_method_types?: string[];
}

const feesError: ValueRule = (value) => {
  const [error] = feeListErrors(value, 'fees');
  return error && (error.field === 'fees' ? error.message : `${error.field} ${error.message}`);
};

const MAX_TYPES = 50;
const MAX_TYPE_LENGTH = 32;

const TEST_SHOP: Shape = {
  provider: { rule: textOf(1, MAX_PROVIDER_LENGTH) },
  account: { rule: matching(ACCOUNT) },
  enabled: { rule: booleanError },
  fees: { rule: feesError },
  captures_manually: { rule: booleanError },
  refused_currencies: { rule: currencyListError },
  payment_method_types: { rule: valueList(MAX_TYPES, textOf(1, MAX_TYPE_LENGTH)) },
};

function shopsIn(file: FlowFile, errors: string[]): [string, TestShop][] {
  const { shops } = file.sections;
  if (shops === undefined || shops === null) return [];
  const refuse = (place: (string | number)[], message: string): void => {
    errors.push(file.errorAt(['shops', ...place], `shops.${textPath(place)} ${message}`).message);
  };
  if (!isFields(shops)) {
    errors.push(file.errorAt(['shops'], 'shops takes a map: name of a shop → what tests assume about it').message);
    return [];
  }
  return Object.entries(shops).flatMap(([name, given]): [string, TestShop][] => {
    const facts = given ?? {};
    if (!isFields(facts)) refuse([name], `must be an object with ${Object.keys(TEST_SHOP).join(', ')}`);
    const wrong = isFields(facts) ? fieldErrors(facts, TEST_SHOP, '') : [];
    for (const { field, message } of wrong) refuse([name, ...placeOf(field)], message);
    return isFields(facts) && wrong.length === 0 ? [[name, facts]] : [];
  });
}

/** The shops that the files name. Their ids are made up: a file has none. */
export class TestShops {
  private readonly ids = new Map<string, number>();
  readonly summaries = new Map<number, ShopSummary>();

  constructor(
    files: readonly FlowFile[],
    private readonly errors: string[],
  ) {
    for (const file of files) for (const [name, shop] of shopsIn(file, errors)) this.add(name, shop);
    for (const file of files) {
      for (const given of file.flows.values()) {
        for (const member of listOf(given['shops'])) {
          if (isFields(member) && typeof member['shop'] === 'string') this.add(member['shop'], {});
        }
      }
    }
  }

  /** A shop without an entry has an account of its own at a provider of its own name, and can do everything. */
  private add(name: string, { provider = name, account = 'default', enabled = true, ...facts }: TestShop): void {
    if (this.ids.has(name)) return;
    const id = this.ids.size + 1;
    this.ids.set(name, id);
    const {
      fees,
      captures_manually: manually = true,
      refused_currencies: refused,
      payment_method_types: types,
    } = facts;
    this.summaries.set(id, {
      ...{ id, name, provider, account, enabled, capturesManually: manually },
      ...(refused && { refusedCurrencies: new Set(refused) }),
      ...(types && { paymentMethodTypes: types }),
      ...(fees && { fees: fees.map((fee) => ({ ...fee, fixed: fee.fixed ?? 0 })) }),
    });
  }

  idOf = (name: unknown): number | undefined => (typeof name === 'string' ? this.ids.get(name) : undefined);

  nameOf = (id: number): string => this.summaries.get(id)!.name;

  get names(): string {
    return [...this.ids.keys()].join(', ');
  }

  /** Shops by their names. */
  inWords = (text: string): string => text.replace(/\bshop (\d+)\b/g, (all, id: string) => this.found(id) ?? all);

  private found = (id: string): string | undefined => this.summaries.get(Number(id))?.name;

  /** The definition of a flow; `undefined`: it has errors. */
  definitionOf(file: FlowFile, flow: string, given: Fields): FlowDefinition | undefined {
    const before = this.errors.length;
    const refuse = (place: (string | number)[], message: string): void => {
      const path = place.length === 0 ? '' : `${textPath(place)} `;
      this.errors.push(file.errorAt(['flows', flow, ...place], `flow ${flow}: ${path}${message}`).message);
    };
    const withShopIds = withIds(given, (name, place) => {
      const id = this.idOf(name);
      if (id === undefined) refuse(place, `names no known shop, takes one of ${this.names}, got ${String(name)}`);
      return id ?? 1;
    });
    if (this.errors.length > before) return undefined;
    const refuseAll = (errors: readonly FieldError[]): void => {
      for (const { field, message } of errors) refuse(placeOf(field), this.inWords(messageOf(field, message)));
    };
    refuseAll(shapeErrors(withShopIds));
    if (this.errors.length > before) return undefined;
    const definition = definitionOf(withoutNullFields(withShopIds));
    refuseAll(resultOf(definitionErrors(definition, new Set(this.summaries.keys()))));
    return this.errors.length > before ? undefined : definition;
  }
}

const messageOf = (field: string, message: string): string =>
  field.endsWith('shop_id') && message.startsWith('is required') ? 'is required: the name of a shop' : message;

export const textPath = (place: readonly (string | number)[]): string =>
  place.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
