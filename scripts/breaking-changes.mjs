// Compares two OpenAPI documents and finds changes that break a client or a receiver of the older one.
// As a program, it compares docs/openapi.json with docs/openapi-released.json, the document of the last release.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Limits of values. In requests, lower limits may only decrease and upper limits only increase. */
const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'];

/** One line for each breaking change. New values of an enum in answers do not count: docs/decisions/037. */
export function breakingChanges(released, current) {
  const breaks = [];
  const resolve = { released: resolver(released), current: resolver(current) };
  for (const name of Object.keys(released.components?.schemas ?? {})) {
    if (!(name in (current.components?.schemas ?? {}))) breaks.push(`schema ${name} was removed`);
  }
  for (const [path, item] of Object.entries(released.paths)) {
    for (const method of METHODS.filter((each) => item[each])) {
      const operation = current.paths[path]?.[method];
      const name = `${method.toUpperCase()} ${path}`;
      if (operation) breaks.push(...operationBreaks(name, item[method], operation, resolve));
      else breaks.push(`${name} was removed`);
    }
  }
  for (const [event, item] of Object.entries(released.webhooks ?? {})) {
    const { post } = resolve.released(item);
    const now = resolve.current(current.webhooks?.[event])?.post;
    const schemas = [post, now].map((each) => each?.requestBody?.content['application/json']?.schema);
    if (!now) breaks.push(`webhook ${event} was removed`);
    else breaks.push(...schemaBreaks(`webhook ${event}`, ...schemas, resolve, 'answer'));
    breaks.push(...goneHeaders(`webhook ${event}`, post, now));
  }
  return [...new Set(breaks)];
}

const resolver = (document) => (node) => {
  let found = node;
  while (found?.$ref) {
    found = found.$ref
      .split('/')
      .slice(1)
      .reduce((inner, key) => inner?.[key], document);
  }
  return found;
};

function operationBreaks(name, before, after, resolve) {
  const breaks = [];
  if (before.operationId !== after.operationId) breaks.push(`${name} has another operationId`);
  breaks.push(...scopeBreaks(name, before, after), ...parameterBreaks(name, before, after, resolve));
  const bodies = [before, after].map(({ requestBody }) => requestBody);
  if (bodies[1]?.required && !bodies[0]?.required) breaks.push(`${name}: the body is required now`);
  for (const [type, { schema }] of Object.entries(bodies[0]?.content ?? {})) {
    const now = bodies[1]?.content[type];
    if (!now) breaks.push(`${name}: ${type} is no longer accepted`);
    else breaks.push(...schemaBreaks(`${name} body`, schema, now.schema, resolve, 'request'));
  }
  for (const [status, response] of Object.entries(before.responses)) {
    if (!status.startsWith('2')) continue;
    const then = resolve.released(response);
    const now = resolve.current(after.responses[status]);
    if (!now) breaks.push(`${name}: no longer answers ${status}`);
    else breaks.push(...answerBreaks(`${name} ${status}`, then, now, resolve));
  }
  return breaks;
}

function answerBreaks(name, then, now, resolve) {
  const gone = Object.keys(then.headers ?? {}).filter((header) => !(header in (now.headers ?? {})));
  const breaks = gone.map((header) => `${name}: the header ${header} was removed`);
  for (const [type, { schema }] of Object.entries(then.content ?? {})) {
    const media = now.content?.[type];
    if (!media) breaks.push(`${name}: no longer answers ${type}`);
    else breaks.push(...schemaBreaks(name, schema, media.schema, resolve, 'answer'));
  }
  return breaks;
}

/** Scopes and tokens that were not needed before. */
function scopeBreaks(name, before, after) {
  const scopesOf = ({ security = [] }) => new Set(security.flatMap((requirement) => requirement.bearer ?? []));
  const known = scopesOf(before);
  const breaks = [...scopesOf(after)].filter((scope) => !known.has(scope)).map((scope) => `${name} needs ${scope} now`);
  const isOpen = ({ security = [] }) => security.length === 0;
  return isOpen(before) && !isOpen(after) ? [...breaks, `${name} needs a token now`] : breaks;
}

function parameterBreaks(name, before, after, resolve) {
  const keyOf = (parameter) => `${parameter.in} ${parameter.name}`;
  const known = new Map((before.parameters ?? []).map((each) => [keyOf(each), each]));
  const now = new Map((after.parameters ?? []).map((each) => [keyOf(each), each]));
  const breaks = [];
  for (const [key, parameter] of known) {
    const other = now.get(key);
    if (!other) breaks.push(`${name}: the parameter ${key} was removed`);
    else breaks.push(...schemaBreaks(`${name} ${key}`, parameter.schema, other.schema, resolve, 'request'));
  }
  for (const [key, { required }] of now) {
    if (required && !known.get(key)?.required) breaks.push(`${name}: the parameter ${key} is required now`);
  }
  return breaks;
}

const goneHeaders = (name, before, after) => {
  const names = new Set((after?.parameters ?? []).map((header) => header.name));
  const gone = (before.parameters ?? []).filter((header) => header.required && !names.has(header.name));
  return gone.map((header) => `${name}: the header ${header.name} was removed`);
};

/** `way`: a request may accept more than before, and an answer may return less, but not the reverse. */
function schemaBreaks(name, before, after, resolve, way, seen = new Set()) {
  const pair = `${before?.$ref} ${after?.$ref} ${way}`;
  if (before?.$ref && seen.has(pair)) return [];
  const known = new Set(seen).add(pair);
  const [then, now] = [resolve.released(before) ?? {}, resolve.current(after) ?? {}];
  const inner = (label, one, other) => schemaBreaks(`${name}${label}`, one, other, resolve, way, known);
  return [
    ...typeBreaks(name, then, now, way),
    ...boundBreaks(name, then, now, way),
    ...fieldBreaks(name, then, now, way, inner),
    ...(then.items && now.items ? inner('[]', then.items, now.items) : []),
    ...mapBreaks(then, now, inner),
    ...choiceBreaks(name, then, now, way, inner),
  ];
}

const typesOf = ({ type }) => (type === undefined ? undefined : [type].flat());

function typeBreaks(name, then, now, way) {
  const [types, others] = [typesOf(then), typesOf(now)];
  const breaks = [];
  const [narrow, wide] = way === 'request' ? [types, others] : [others, types];
  if (wide && (!narrow || narrow.some((type) => !covers(wide, type)))) {
    breaks.push(`${name}: the type was ${types ?? 'any'} and is ${others ?? 'any'}`);
  }
  if (now.format !== then.format && then.format)
    breaks.push(`${name}: the format was ${then.format} and is ${now.format}`);
  const values = valuesOf(then);
  const allowed = valuesOf(now);
  if (way === 'request' && allowed) {
    const gone = values ? values.filter((value) => !allowed.includes(value)) : ['other values'];
    breaks.push(...gone.map((value) => `${name}: ${JSON.stringify(value)} is no longer accepted`));
  }
  if (way === 'answer' && values && !allowed) breaks.push(`${name}: the values are no longer listed`);
  return breaks;
}

const valuesOf = (schema) => schema.enum ?? ('const' in schema ? [schema.const] : undefined);
const covers = (types, type) => types.includes(type) || (type === 'integer' && types.includes('number'));

function boundBreaks(name, then, now, way) {
  if (way === 'answer') return [];
  // a removed pattern also limited the length, so a new length limit in its place is left to the reviewer
  const isReplaced = (key) => key.endsWith('Length') && then.pattern !== undefined && now.pattern === undefined;
  const isTighter = (key, sign) =>
    now[key] !== undefined && !isReplaced(key) && (then[key] === undefined || sign * now[key] > sign * then[key]);
  const tighter = [
    ...LOWER_BOUNDS.filter((key) => isTighter(key, 1)),
    ...UPPER_BOUNDS.filter((key) => isTighter(key, -1)),
    ...(now.pattern !== undefined && now.pattern !== then.pattern ? ['pattern'] : []),
  ];
  return tighter.map((key) => `${name}: ${key} is ${now[key]} now`);
}

function fieldBreaks(name, then, now, way, inner) {
  const breaks = [];
  for (const [field, schema] of Object.entries(then.properties ?? {})) {
    const other = now.properties?.[field];
    if (other) breaks.push(...inner(`.${field}`, schema, other));
    else if (way === 'answer' || now.additionalProperties === false) breaks.push(`${name}.${field} was removed`);
  }
  const [must, may] = [then, now].map(({ required = [] }) => required);
  const changed =
    way === 'request'
      ? may.filter((field) => !must.includes(field)).map((field) => `${name}.${field} is required now`)
      : must
          .filter((field) => !may.includes(field) && now.properties?.[field])
          .map((field) => `${name}.${field} may be missing now`);
  return [...breaks, ...changed];
}

const mapBreaks = ({ additionalProperties: then }, { additionalProperties: now }, inner) =>
  typeof then === 'object' && typeof now === 'object' ? inner('.*', then, now) : [];

/** Choices are identified by the name of their schema, or by their type. */
function choiceBreaks(name, then, now, way, inner) {
  const [choices, others] = [then, now].map(choicesOf);
  if (!choices && !others) return [];
  const [few, many] = way === 'request' ? [choices, others] : [others, choices];
  if (!few || !many) return [`${name}: changed from ${choices ? 'several schemas to one' : 'one schema to several'}`];
  const unmatched = [...few.keys()].filter((key) => !many.has(key));
  const change = way === 'request' ? 'is no longer accepted' : 'is a new kind of answer';
  const both = [...choices].filter(([key]) => others.has(key));
  return [
    ...unmatched.map((key) => `${name}: ${key} ${change}`),
    ...both.flatMap(([key, schema]) => inner(`<${key}>`, schema, others.get(key))),
  ];
}

function choicesOf({ oneOf, anyOf }) {
  const choices = oneOf ?? anyOf;
  return choices && new Map(choices.map((each) => [each.$ref?.split('/').at(-1) ?? String(typesOf(each)), each]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (name) => JSON.parse(readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8'));
  const breaks = breakingChanges(read('openapi-released.json'), read('openapi.json'));
  for (const line of breaks) console.error(`✘ ${line}`);
  if (breaks.length > 0) console.error('These changes break clients of the last release: see CONTRIBUTING.md');
  process.exitCode = breaks.length > 0 ? 1 : 0;
}
