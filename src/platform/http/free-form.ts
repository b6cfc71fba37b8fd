const FREE_FORM_FIELDS = Symbol('free-form fields');

/**
 * The DTO's field holds whatever JSON the caller sends, and keeps it exactly: class-transformer, which drops keys such
 * as `toString`, does not see it. Only for fields of the body itself, not of objects inside it.
 */
export const FreeForm = (): PropertyDecorator => (prototype, field) => {
  const fields = freeFormFields(prototype.constructor);
  Reflect.defineMetadata(FREE_FORM_FIELDS, [...fields, field], prototype.constructor);
};

/** The free-form fields of a DTO class, those it inherits included. */
export const freeFormFields = (dto: object): readonly string[] =>
  (Reflect.getMetadata(FREE_FORM_FIELDS, dto) as string[] | undefined) ?? [];

/**
 * The path of the first key, at any depth, that every object has from the start, such as `constructor`. None is the name
 * of a field, but class-transformer drops or stumbles over them. `undefined` when there is none.
 */
export function findInheritedKey(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' && !(key in Object.prototype)) continue;
    const innerPath = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = key in Object.prototype ? innerPath : findInheritedKey(inner, innerPath);
    if (found !== undefined) return found;
  }
  return undefined;
}
