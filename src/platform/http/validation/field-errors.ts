import type { ValidationError } from 'class-validator';
import { isObject } from '../../../shared/json.js';
import type { FieldError } from '../../../shared/problem.js';

/** Values of fields with these names are not repeated, not even to their sender, because responses end up in logs. */
const SECRET_NAME = /secret|password|token|credential|key/i;
const MAX_SHOWN_LENGTH = 40;

/** Errors per response, at most. A body can have many more: together they would be many times its size. */
export const MAX_FIELD_ERRORS = 50;

export const UNKNOWN_FIELD = 'is not a known field';

/** One error per field, in the order of the fields, with paths such as `shops[0].weight`. */
export const fieldErrors = (errors: ValidationError[]): FieldError[] => errors.flatMap((error) => flatten(error, ''));

function flatten(error: ValidationError, parent: string): FieldError[] {
  const field = pathOf(parent, error.property);
  const constraints = rulesIn(error);
  const children = (error.children ?? []).filter((child) => !constraints || !isNoObject(child));
  const inside = children.flatMap((child) => flatten(child, field));
  if (!constraints) return inside;
  const items = Object.values(constraints).at(-1) === eachObject(error.property) ? noObjectsIn(error, field) : [];
  return [...(items.length > 0 ? items : [{ field, message: messageOf(error, constraints) }]), ...inside];
}

/** The broken rules. `@IsObject` and `@IsArray` say more than class-validator's message about nested values. */
function rulesIn({ constraints }: ValidationError): Record<string, string> | undefined {
  if (!constraints || Object.keys(constraints).length < 2) return constraints;
  return Object.fromEntries(Object.entries(constraints).filter(([name]) => name !== NESTED));
}

const NESTED = 'nestedValidation';

/** An item of a list that its list has reported. */
const isNoObject = ({ constraints = {} }: ValidationError): boolean => NESTED in constraints;

/** The message of `@IsObject` for items of a list, as class-validator writes it. */
const eachObject = (property: string): string => `each value in ${property} must be an object`;

/** Names the items of a list that are no objects: class-validator only says that there is one. */
function noObjectsIn({ value, property }: ValidationError, field: string): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) => {
    if (isObject(item)) return [];
    const got = SECRET_NAME.test(property) ? '' : `, got ${shown(item)}`;
    return [{ field: `${field}[${index}]`, message: `must be an object${got}` }];
  });
}

/** The path of a member of `parent`, by its name or its index. */
export function pathOf(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}

function messageOf(error: ValidationError, constraints: Record<string, string>): string {
  // decorators register from the bottom up: the last rule is the topmost in the source, the type
  const message = Object.values(constraints).at(-1)!;
  const rule = withoutName(message, error.property);
  if (error.value === undefined) return `is required and ${rule}`;
  return SECRET_NAME.test(error.property) ? rule : `${rule}, got ${shown(error.value)}`;
}

/** Removes the property's name from class-validator's message, because the error has it in `field`. */
function withoutName(message: string, property: string): string {
  const [opening, instead] = [
    [`${property} `, ''],
    [`nested property ${property} `, ''],
    [`each value in ${property} `, 'each item '],
    [`each value in nested property ${property} `, 'each item '],
    [`All ${property}'s elements `, 'all items '],
  ].find(([start]) => message.startsWith(start!)) ?? ['', ''];
  return instead! + message.slice(opening!.length);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > MAX_SHOWN_LENGTH ? `${typeof value} of ${text.length - 2} characters` : text;
}
