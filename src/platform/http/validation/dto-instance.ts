// Why not `plainToInstance` of class-transformer: it compares the keys of an object with one another, which took
// seconds for a body of 256 KiB, and it copies values that no DTO describes. Its decorators have the same effect here.
import type { Type } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { FieldError } from '../../../shared/problem.js';
import { MAX_FIELD_ERRORS, pathOf, UNKNOWN_FIELD } from './field-errors.js';
import { hasValue } from './field-rules.js';

/** `path`: the path of the object that has the field `name`. */
type Convert = (value: unknown, path: string, name: string, errors: FieldError[]) => unknown;

interface Field {
  convert: Convert;
  isOptional: boolean;
}

const shapes = new WeakMap<Type<object>, Map<string, Field>>();

/**
 * A new `dto` with the fields of `plain`. Fields with `@Type` become instances too, at any depth.
 * - Fields that the class does not declare are left out and added to `errors`: the first 51, one more than are
 *   reported.
 * - Values that no class describes are passed on, not copied.
 * - An optional field that is `null` counts as absent, because programs generated from the OpenAPI document send it for
 *   unset fields. A `Clearable` field keeps it.
 * - The values are not validated.
 */
export function instanceOf<T extends object>(dto: Type<T>, plain: object, path: string, errors: FieldError[]): T {
  const shape = shapeOf(dto);
  const instance = new dto();
  for (const [key, value] of Object.entries(plain)) {
    const field = shape.get(key);
    if (field) {
      if (value === null && field.isOptional) continue;
      (instance as Record<string, unknown>)[key] = field.convert(value, path, key, errors);
    } else if (errors.length <= MAX_FIELD_ERRORS) errors.push({ field: pathOf(path, key), message: UNKNOWN_FIELD });
  }
  return instance;
}

function shapeOf(dto: Type<object>): Map<string, Field> {
  const known = shapes.get(dto);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const lists = new Set(rules.filter(({ each }) => each).map(({ propertyName }) => propertyName));
  const optional = new Set(rules.filter(mayBeAbsent).map(({ propertyName }) => propertyName));
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  const fieldOf = (name: string): Field => ({
    convert: conversionOf(dto, name, lists.has(name)),
    isOptional: optional.has(name),
  });
  const shape = new Map([...names].map((name) => [name, fieldOf(name)] as const));
  shapes.set(dto, shape);
  return shape;
}

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * Whether the rule is `@Optional()`, `@IsOptional()` or the one that `PartialType` adds: a condition that is false
 * without a value.
 */
const mayBeAbsent = ({ type, constraints }: Rule): boolean =>
  type === ValidationTypes.CONDITIONAL_VALIDATION &&
  constraints[0] !== hasValue &&
  !(constraints[0] as (object: object, value: unknown) => boolean)({}, undefined);

function conversionOf(dto: Type<object>, name: string, isList: boolean): Convert {
  const type = defaultMetadataStorage.findTypeMetadata(dto, name)?.typeFunction() as unknown;
  const transforms = defaultMetadataStorage.findTransformMetadatas(dto, name, TransformationType.PLAIN_TO_CLASS);
  const typed = type === Number ? toNumbers : type === undefined ? asItIs : nested(type as Type<object>, isList);
  if (transforms.length === 0) return typed;
  const rest = { key: name, obj: {}, type: TransformationType.PLAIN_TO_CLASS, options: {} };
  const transform = (given: unknown): unknown =>
    transforms.reduce<unknown>((value, { transformFn }) => transformFn({ value, ...rest }) as unknown, given);
  // before the items are converted, so that removed items cost nothing
  return (value, path, name, errors) => typed(transform(value), path, name, errors);
}

const asItIs: Convert = (value) => value;

/** For query parameters, which are text; a repeated one is an array. */
const toNumbers: Convert = (value) => (Array.isArray(value) ? value.map(Number) : Number(value));

/**
 * An array in place of an object becomes an empty array: it is refused as well, and its items cost the validators
 * nothing.
 */
function nested(dto: Type<object>, isList: boolean): Convert {
  const one: Convert = (value, path, name, errors) => {
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? [] : instanceOf(dto, value, pathOf(path, name), errors);
  };
  return (value, path, name, errors) =>
    isList && Array.isArray(value)
      ? value.map((item, index) => one(item, pathOf(path, name), String(index), errors))
      : one(value, path, name, errors);
}
