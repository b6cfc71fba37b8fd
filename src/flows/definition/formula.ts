import { type Condition, type FieldName, type FieldTest, passes, type Scalar } from './condition.js';

/** A test of one field. */
export interface Atom {
  readonly field: FieldName;
  readonly test: FieldTest;
}

/** A condition in which fields can be filled in one after the other: what is decided has become `true` or `false`. */
export type Formula =
  boolean | Atom | { readonly all: readonly Formula[] } | { readonly any: readonly Formula[] } | Not;

interface Not {
  readonly not: Formula;
}

/** Equal tests, by their JSON, so that they become one object in all formulas that are made with the same collection. */
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
  const open = parts.filter((part) => part !== true);
  if (open.includes(false)) return false;
  return open.length > 1 ? { all: open } : (open[0] ?? true);
}

export function anyOf(parts: readonly Formula[]): Formula {
  const open = parts.filter((part) => part !== false);
  if (open.includes(true)) return true;
  return open.length > 1 ? { any: open } : (open[0] ?? false);
}

export const negated = (formula: Formula): Formula => (typeof formula === 'boolean' ? !formula : { not: formula });

/** `passes` for a test that many values are held against: a long list is looked through once. */
export const passesOften = (test: FieldTest, value: unknown): boolean => passes(test, value, isInLong);

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

/** What is left of the formula once `field` has this value (`undefined`: absent); parts that do not change are shared. */
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

/** Calls `visit` for each test that is still open. */
export function eachAtom(formula: Formula, visit: (atom: Atom) => void): void {
  if (typeof formula === 'boolean') return;
  if ('field' in formula) visit(formula);
  else if ('not' in formula) eachAtom(formula.not, visit);
  else for (const part of 'all' in formula ? formula.all : formula.any) eachAtom(part, visit);
}
