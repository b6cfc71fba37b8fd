import { type Condition, type FieldName, type FieldTest, type ListSearch, passes, type Scalar } from './condition.js';

/** A test of one field. */
export interface Atom {
  readonly field: FieldName;
  readonly test: FieldTest;
}

/** A condition in which fields can be filled in one after the other; decided parts have become `true` or `false`. */
export type Formula =
  boolean | Atom | { readonly all: readonly Formula[] } | { readonly any: readonly Formula[] } | Not;

interface Not {
  readonly not: Formula;
}

/** Equal tests by their JSON. All formulas built with the same map share one object per test. */
export type SharedTests = Map<string, FieldTest>;

export function formulaOf(condition: Condition, tests: SharedTests): Formula {
  const inner = (part: Condition): Formula => formulaOf(part, tests);
  return allOf(
    Object.entries(condition).map(([key, part]: [string, unknown]) => {
      switch (key) {
        case 'all':
          return allOf((part as Condition[]).map(inner));
        case 'any':
          return anyOf((part as Condition[]).map(inner));
        case 'not':
          return negated(inner(part as Condition));
        default:
          return { field: key as FieldName, test: shared(part as FieldTest, tests) };
      }
    }),
  );
}

function shared(test: FieldTest, tests: SharedTests): FieldTest {
  const key = JSON.stringify(test);
  const known = tests.get(key);
  if (!known) tests.set(key, test);
  return known ?? test;
}

export function allOf(parts: readonly Formula[]): Formula {
  const undecided = parts.filter((part) => part !== true);
  if (undecided.includes(false)) return false;
  return undecided.length > 1 ? { all: undecided } : (undecided[0] ?? true);
}

export function anyOf(parts: readonly Formula[]): Formula {
  const undecided = parts.filter((part) => part !== false);
  if (undecided.includes(true)) return true;
  return undecided.length > 1 ? { any: undecided } : (undecided[0] ?? false);
}

export const negated = (formula: Formula): Formula => (typeof formula === 'boolean' ? !formula : { not: formula });

/** Like `passes`, for a test that is compared with many values: a long list becomes a set once. */
export const passesOften = (test: FieldTest, value: unknown): boolean => passes(test, value, INDEXED);

const INDEXED: ListSearch = {
  includes: isInLong,
  hasPrefixOf: (list, text) => {
    for (let length = 1; length <= text.length; length++) if (isInLong(list, text.slice(0, length))) return true;
    return false;
  },
};

const LONG = 16;
const setsOfLists = new WeakMap<readonly Scalar[], ReadonlySet<unknown>>();

function isInLong(list: readonly Scalar[], value: unknown): boolean {
  if (list.length < LONG) return list.includes(value as Scalar);
  const known = setsOfLists.get(list);
  if (known) return known.has(value);
  const values = new Set<unknown>(list);
  setsOfLists.set(list, values);
  return values.has(value);
}

/** Returns the formula after `field` has this value (`undefined`: absent); unchanged parts are shared. */
export function withField(formula: Formula, field: FieldName, value: unknown): Formula {
  if (typeof formula === 'boolean') return formula;
  if ('field' in formula) return formula.field === field ? passesOften(formula.test, value) : formula;
  if ('not' in formula) {
    const inner = withField(formula.not, field, value);
    return inner === formula.not ? formula : negated(inner);
  }
  if ('all' in formula) {
    const parts = partsWithField(formula.all, field, value);
    return parts === formula.all ? formula : allOf(parts);
  }
  const parts = partsWithField(formula.any, field, value);
  return parts === formula.any ? formula : anyOf(parts);
}

function partsWithField(parts: readonly Formula[], field: FieldName, value: unknown): readonly Formula[] {
  let changed: Formula[] | undefined;
  for (let index = 0; index < parts.length; index++) {
    const part = withField(parts[index]!, field, value);
    if (part !== parts[index]) (changed ??= [...parts])[index] = part;
  }
  return changed ?? parts;
}

/** Calls `visit` for each undecided test, with whether an odd number of `not` are around it. */
export function eachAtom(formula: Formula, visit: (atom: Atom, isNegated: boolean) => void, isNegated = false): void {
  if (typeof formula === 'boolean') return;
  if ('field' in formula) visit(formula, isNegated);
  else if ('not' in formula) eachAtom(formula.not, visit, !isNegated);
  else for (const part of 'all' in formula ? formula.all : formula.any) eachAtom(part, visit, isNegated);
}
