import { type FeeEntry, feeListErrors, withFixed } from '../facts/fees.js';
import type { ShopStats } from '../facts/shop.js';
import type { FieldError } from '../field-error.js';
import type { FlowShop } from '../definition/definition.js';
import { isObject } from '../field-error.js';
import type { Scenario } from './scenario.js';

/** The state of a shop that a simulation assumes instead of the real one. */
export interface ShopOverride {
  /** For both the shop itself and its membership in the flow. */
  enabled?: boolean;
  weight?: number;
  healthy?: boolean;
  /** Instead of the shop's list; empty: unknown. */
  fees?: FeeEntry[];
}

/** In the format of `POST /flows/simulate`; the keys of `shops` are shop ids. */
export interface Overrides {
  shops?: Record<string, ShopOverride>;
}

const MAX_WEIGHT = 1_000_000;

type FieldRule = (value: unknown, field: string) => FieldError[];

const rule =
  (isValid: (value: unknown) => boolean, message: string): FieldRule =>
  (value, field) =>
    isValid(value) ? [] : [{ field, message }];

const BOOLEAN = rule((value) => typeof value === 'boolean', 'must be true or false');

const FIELDS: Readonly<Record<keyof ShopOverride, FieldRule>> = {
  enabled: BOOLEAN,
  weight: rule(
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_WEIGHT,
    `must be an integer from 1 to ${MAX_WEIGHT}`,
  ),
  healthy: BOOLEAN,
  fees: feeListErrors,
};

/** The errors in overrides that a caller sent; without errors they are `Overrides` of shops of the flow. */
export function overrideErrors(overrides: object, members: readonly FlowShop[]): FieldError[] {
  const ids = new Set(members.map((shop) => String(shop.shop_id)));
  return Object.entries(overrides).flatMap(([key, shops]: [string, unknown]) => {
    if (key !== 'shops') return [{ field: `overrides.${key}`, message: 'is not a known field: use shops' }];
    if (!isObject(shops)) return [{ field: 'overrides.shops', message: 'must be an object with shop ids as keys' }];
    return Object.entries(shops).flatMap(([id, override]: [string, unknown]) => {
      const field = `overrides.shops.${id}`;
      return ids.has(id) ? shopErrors(override, field) : [{ field, message: 'is not a shop of the flow' }];
    });
  });
}

function shopErrors(override: unknown, field: string): FieldError[] {
  if (!isObject(override)) return [{ field, message: 'must be an object' }];
  return Object.entries(override).flatMap(([key, value]: [string, unknown]) => {
    if (!Object.hasOwn(FIELDS, key)) {
      return [{ field: `${field}.${key}`, message: `is not a known field: use ${KNOWN_FIELDS}` }];
    }
    return FIELDS[key as keyof ShopOverride](value, `${field}.${key}`);
  });
}

const KNOWN_FIELDS = Object.keys(FIELDS).join(', ');

/**
 * The overrides without fields that are `null`, which count as absent, as in every body. The shops themselves must be
 * objects.
 */
export function withoutNulls(overrides: unknown): unknown {
  if (!isObject(overrides)) return overrides;
  const given = withoutNullFields(overrides) as { shops?: unknown };
  if (!isObject(given.shops)) return given;
  const shops = Object.entries(given.shops).map(([id, shop]: [string, unknown]) => [id, withoutNullsOf(shop)]);
  return { ...given, shops: Object.fromEntries(shops) as object };
}

function withoutNullsOf(shop: unknown): unknown {
  const given = withoutNullFields(shop) as { fees?: unknown };
  if (!isObject(given) || !Array.isArray(given.fees)) return given;
  return { ...given, fees: given.fees.map(withoutNullFields) };
}

const withoutNullFields = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value;

/** The scenario with the overrides applied. */
export function withOverrides<S extends Scenario>(scenario: S, { shops: overrides = {} }: Overrides): S {
  let changed = scenario;
  for (const [id, override] of Object.entries(overrides)) changed = withOverride(changed, Number(id), override);
  return changed;
}

function withOverride<S extends Scenario>(
  scenario: S,
  id: number,
  { enabled, weight, healthy, fees }: ShopOverride,
): S {
  const { definition, shops, statsByShop } = scenario;
  const summary = shops.get(id);
  const changes = { ...(enabled !== undefined && { enabled }), ...(fees && { fees: fees.map(withFixed) }) };
  return {
    ...scenario,
    definition: {
      ...definition,
      shops: definition.shops.map((member) =>
        member.shop_id === id
          ? { ...member, enabled: enabled ?? member.enabled, weight: weight ?? member.weight }
          : member,
      ),
    },
    ...(summary && Object.keys(changes).length > 0 && { shops: new Map(shops).set(id, { ...summary, ...changes }) }),
    ...(healthy !== undefined && {
      statsByShop: new Map(statsByShop).set(id, withHealth(statsByShop.get(id), healthy)),
    }),
  };
}

const withHealth = (statsByShop: ShopStats | undefined, healthy: boolean): ShopStats => ({
  approved: 0,
  declined: 0,
  failed: 0,
  ...statsByShop,
  health: healthy ? 'healthy' : 'unhealthy',
});
