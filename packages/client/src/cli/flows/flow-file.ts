import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
  visit,
} from 'yaml';
import { CommandError } from '../terminal.js';
import { type Fields, isFields, type Place } from './named-definition.js';

/** The flows of a file. */
export interface FlowFile {
  /** By name, in the order of the file; shops by their names. */
  flows: Map<string, Fields>;
  /** The sections that only `flows test` reads. */
  sections: { shops?: unknown; examples?: unknown };
  path: string;
  /** `path:line` of a place in the file. */
  placeAt: (place: Place) => string;
  /** `path:line: message`, for a place in the file; the nearest enclosing place if it does not exist. */
  errorAt: (place: Place, message: string) => CommandError;
}

const SECTIONS = ['flows', 'shops', 'examples'];

const HEADING = `# The flows of payments: who gets which payment. Shops are named, so the file works in every environment.
# Test it with: flows test FILE. Apply it with: flows plan -f FILE, then flows apply -f FILE --reason TEXT
`;

/** Reads a file. Throws a `CommandError` with the line. */
export function parseFlowFile(text: string, path: string): FlowFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (place: Place): string => `${path}:${lines.linePos(startOf(document, place)).line}`;
  const errorAt = (place: Place, message: string): CommandError => new CommandError(`${placeAt(place)}: ${message}`);
  const [broken] = document.errors;
  if (broken) throw new CommandError(`${path}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  const infinite = infiniteIn(document);
  if (infinite !== undefined) {
    throw new CommandError(`${path}:${lines.linePos(infinite).line}: takes a finite number`);
  }
  readNames(document);
  const content = asJson(document, path);
  if (!isFields(content)) throw errorAt([], 'takes a map with the field flows');
  const unknown = Object.keys(content).find((name) => !SECTIONS.includes(name));
  if (unknown !== undefined) throw errorAt([unknown], `unknown field ${unknown}, takes ${SECTIONS.join(', ')}`);
  const { flows = Object.keys(content).length > 0 ? {} : undefined, shops, examples } = content;
  if (!isFields(flows)) throw errorAt(['flows'], 'flows takes a map: name of a flow → definition');
  for (const [name, definition] of Object.entries(flows)) {
    if (!isFields(definition)) throw errorAt(['flows', name], `flow ${name} takes a map with strategy, shops …`);
  }
  const named = new Map(Object.entries(flows as Record<string, Fields>));
  return { flows: named, sections: { shops, examples }, path, placeAt, errorAt };
}

/** The text of a file with these flows; the same flows give the same text. */
export const formatFlowFile = (flows: ReadonlyMap<string, Fields>): string =>
  `${HEADING}${formatted({ flows: Object.fromEntries([...flows].sort(([one], [other]) => (one < other ? -1 : 1))) })}`;

/** YAML with one value a line, without line breaks in texts. */
export const formatted = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** Where a number begins that JSON does not have. */
function infiniteIn(document: Document): number | undefined {
  let place: number | undefined;
  visit(document, {
    Scalar(_, { value, range }) {
      if (typeof value !== 'number' || Number.isFinite(value)) return undefined;
      place = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return place;
}

const ITEMS = Symbol('items');
type Step = string | typeof ITEMS;

/** The places of names in a definition. */
const SHOP_NAMES: Step[][] = [
  ['shops', ITEMS, 'shop'],
  ['rules', ITEMS, 'use', 'shops', ITEMS],
  ['default', 'shops', ITEMS],
  ['assertions', ITEMS, 'never'],
];

/** The places of names in what tests read. */
const TEST_NAMES: Step[][] = [
  ['examples', ITEMS, 'flow'],
  ['examples', ITEMS, 'shop'],
  ['examples', ITEMS, 'shops', ITEMS],
  ['examples', ITEMS, 'down', ITEMS],
];

/** Reads the names of flows and shops as they are written: `0123` and `1e3` are no numbers there. */
function readNames(document: Document): void {
  for (const place of TEST_NAMES) for (const name of nodesAt(document, document.contents, place)) readAsText(name);
  const shops = document.get('shops', true);
  if (isMap(shops)) for (const { key } of shops.items) readAsText(key);
  const flows = document.get('flows', true);
  if (!isMap(flows)) return;
  for (const { key, value } of flows.items) {
    readAsText(key);
    for (const place of SHOP_NAMES) for (const name of nodesAt(document, value, place)) readAsText(name);
  }
}

function readAsText(node: unknown): void {
  if (isScalar(node) && node.value !== null && node.source !== undefined) node.value = node.source;
}

function* nodesAt(document: Document, node: unknown, [step, ...rest]: Step[]): Generator<unknown, void> {
  if (step === undefined) {
    yield node;
    return;
  }
  const parent = isAlias(node) ? node.resolve(document) : node;
  if (step === ITEMS && isSeq(parent)) for (const item of parent.items) yield* nodesAt(document, item, rest);
  if (step !== ITEMS && isMap(parent)) yield* nodesAt(document, parent.get(step, true), rest);
}

/** As JSON has it: without -0. Too many aliases are refused here. */
function asJson(document: Document, path: string): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS() ?? null));
  } catch (error) {
    throw new CommandError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Where the value at a place begins. A value that is missing has the place of what should contain it. */
function startOf(document: Document, place: Place): number {
  for (let length = place.length; length > 0; length--) {
    const parent = document.getIn(place.slice(0, length - 1), true);
    const last = place[length - 1]!;
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(last)) : undefined;
    const node = pair ? pair.key : document.getIn(place.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
