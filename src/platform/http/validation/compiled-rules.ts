// The rules of class-validator's decorators, compiled by ajv once for each class. class-validator itself walks its metadata
// and makes an error for each field of each object: a fifth of the CPU time of a simulation. Invariant: what is accepted
// here has no error there. The rest is class-validator's to judge, in its words. Why not class-validator-jsonschema:
// docs/decisions/090-compiled-validation.md.
import { _, Ajv } from 'ajv';
import {
  ARRAY_MAX_SIZE,
  ARRAY_MIN_SIZE,
  ARRAY_NOT_EMPTY,
  getMetadataStorage,
  IS_ARRAY,
  IS_BOOLEAN,
  IS_IN,
  IS_INT,
  IS_OBJECT,
  IS_STRING,
  MAX,
  MIN,
  type ValidationArguments,
  ValidationTypes,
} from 'class-validator';

type Class = Parameters<Storage['getTargetValidationMetadatas']>[0];
type Storage = ReturnType<typeof getMetadataStorage>;
type Rule = ReturnType<Storage['getTargetValidationMetadatas']>[number];
type Condition = (object: object, value: unknown) => boolean;
type Accepts = (value: unknown, object: object) => boolean;

/** The keyword of a rule that JSON Schema cannot say exactly; its value is an `Accepts`. */
const ACCEPTS = 'accepts';

// unoptimised code runs as fast here, and a class compiles in two thirds of the time
const ajv = new Ajv({ validateSchema: false, messages: false, code: { optimize: false } }).addKeyword({
  keyword: ACCEPTS,
  code: (context) => {
    const accepts = context.gen.scopeValue('keyword', { ref: context.schema as Accepts });
    context.fail(_`!${accepts}(${context.data}, ${context.it.parentData})`);
  },
});

/** Rules that mean the same in JSON Schema. Lengths do not: class-validator counts no variation selectors. */
const SCHEMAS: Readonly<Record<string, (constraints: unknown[]) => object>> = {
  [IS_STRING]: () => ({ type: 'string' }),
  [IS_BOOLEAN]: () => ({ type: 'boolean' }),
  [IS_INT]: () => ({ type: 'integer' }),
  [IS_OBJECT]: () => ({ type: 'object' }),
  [IS_ARRAY]: () => ({ type: 'array' }),
  [IS_IN]: ([values]) => ({ enum: values }),
  [MIN]: ([minimum]) => ({ type: 'number', minimum }),
  [MAX]: ([maximum]) => ({ type: 'number', maximum }),
  [ARRAY_NOT_EMPTY]: () => ({ type: 'array', minItems: 1 }),
  [ARRAY_MIN_SIZE]: ([minItems]) => ({ type: 'array', minItems }),
  [ARRAY_MAX_SIZE]: ([maxItems]) => ({ type: 'array', maxItems }),
};

const compiled = new WeakMap<Class, (instance: object) => boolean>();

/** `true`: `validateSync` finds no error in the instance of a DTO. `false`: it may, and must be asked. */
export function isAccepted(instance: object): boolean {
  const dto = instance.constructor;
  // a caller's value in place of the class of an object without one
  if (typeof dto !== 'function') return false;
  const known = compiled.get(dto) ?? compile(dto);
  compiled.set(dto, known);
  return known(instance);
}

const KINDS: readonly string[] = [
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
];

/** class-validator refuses objects of classes without rules, so they are left to it. */
function compile(dto: Class): (instance: object) => boolean {
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(dto, '', false, false);
  const areKnown = rules.every(({ type, validateIf }) => KINDS.includes(type) && validateIf === undefined);
  if (rules.length === 0 || !areKnown) return () => false;
  const fields = Object.entries(storage.groupByPropertyName(rules));
  const properties = fields.map(([name, ruleGroup]) => [name, fieldSchema(ruleGroup, dto.name)]);
  const required = fields.filter(([, ruleGroup]) => !mayBe(undefined, ruleGroup)).map(([name]) => name);
  return ajv.compile({ type: 'object', properties: Object.fromEntries(properties) as object, required });
}

function fieldSchema(rules: Rule[], targetName: string): object {
  const allOf = rules
    .filter(({ type }) => type !== ValidationTypes.CONDITIONAL_VALIDATION)
    .flatMap((rule) =>
      rule.type === ValidationTypes.NESTED_VALIDATION
        ? [{ [ACCEPTS]: isNestedAccepted }]
        : ruleSchemas(rule, targetName),
    );
  return mayBe(null, rules) ? { anyOf: [{ type: 'null' }, { allOf }] } : { allOf };
}

/** Whether a condition switches the rules off for this value. Our conditions depend on nothing else. */
const mayBe = (value: null | undefined, rules: Rule[]): boolean =>
  rules.some(
    ({ type, constraints }) =>
      type === ValidationTypes.CONDITIONAL_VALIDATION && !(constraints[0] as Condition)({}, value),
  );

function ruleSchemas({ constraintCls, propertyName: property, constraints, each }: Rule, targetName: string): object[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ name, instance }) => {
      const schema = SCHEMAS[name]?.(constraints);
      if (schema) return each ? { type: 'array', items: schema } : schema;
      const argsOf = (value: unknown, object: object): ValidationArguments => ({
        targetName,
        property,
        object,
        value,
        constraints,
      });
      const accepts: Accepts = each
        ? (value, object) =>
            Array.isArray(value) && value.every((item) => Boolean(instance.validate(item, argsOf(value, object))))
        : (value, object) => Boolean(instance.validate(value, argsOf(value, object)));
      return { [ACCEPTS]: accepts };
    });
}

const isNestedAccepted: Accepts = (value) =>
  Array.isArray(value)
    ? value.every((item) => isNestedAccepted(item, value))
    : typeof value === 'object' && value !== null && isAccepted(value);
