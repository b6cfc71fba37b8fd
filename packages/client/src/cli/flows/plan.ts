import { isDeepStrictEqual } from 'node:util';
import { changeSentences, definitionOf, type GivenDefinition, withoutNullFields } from '@payment-orchestrator/routing';
import type { CommandError } from '../terminal.js';
import { type FlowFile, formatted } from './flow-file.js';
import { ApiRefusal, type Backtest, type FlowsApi, type ServedFlow } from './flows-api.js';
import { lineDiff } from './line-diff.js';
import { canonical, type Fields, named, placeOf, withIds } from './named-definition.js';

/** The change that makes a flow equal to the file. */
export interface PlannedFlow {
  name: string;
  action: 'create' | 'change' | 'unchanged';
  /** `undefined`: the service has no flow of this name. */
  served: ServedFlow | undefined;
  /** As the file has it, with shops by their names. */
  wanted: Fields;
  /** As the API takes it. */
  definition: Fields;
  diff: string[];
  /** The same change in sentences. */
  sentences: string[];
  /** Past payments under a changed definition. */
  backtest: Backtest | undefined;
  violations: Backtest['violations'];
}

export interface Plan {
  flows: PlannedFlow[];
  /** Flows of the service that the file does not name: they stay as they are. */
  others: string[];
  shopNames: ReadonlyMap<number, string>;
}

/** Compares a file with the service; changes nothing. Throws a `CommandError` that names the line of an invalid value. */
export async function planOf(api: FlowsApi, file: FlowFile): Promise<Plan> {
  const [served, shopNames] = await Promise.all([api.flows(), api.shopNames()]);
  const shopIds = new Map([...shopNames].map(([id, name]) => [name, id]));
  const flows: PlannedFlow[] = [];
  for (const [name, given] of file.flows) {
    const definition = withIds(given, (shop, place) => {
      const id = shopIds.get(String(shop));
      if (id === undefined) throw file.errorAt(['flows', name, ...place], `no shop is called ${String(shop)}`);
      return id;
    });
    const flow = served.find((each) => each.name === name);
    const base = { name, served: flow, wanted: canonical(given), definition };
    flows.push(await planned(api, file, { base, shopNames, anyFlow: served[0] }));
  }
  const others = served.map(({ name }) => name).filter((name) => !file.flows.has(name));
  return { flows, others: others.sort(), shopNames };
}

type Base = Pick<PlannedFlow, 'name' | 'served' | 'wanted' | 'definition'>;

async function planned(
  api: FlowsApi,
  file: FlowFile,
  { base, shopNames, anyFlow }: { base: Base; shopNames: ReadonlyMap<number, string>; anyFlow: ServedFlow | undefined },
): Promise<PlannedFlow> {
  const { name, served, wanted, definition } = base;
  const withoutBacktest = { ...base, sentences: [], backtest: undefined, violations: [] };
  if (!served) {
    // the API checks a definition only for a flow that exists: any will do, with one payment
    const check = anyFlow && (await backtest(api, file, { name, definition, flowId: anyFlow.id, limit: 1 }));
    const violations = check?.violations ?? [];
    return { ...withoutBacktest, action: 'create', diff: linesOf(wanted).map((line) => `+ ${line}`), violations };
  }
  const version = await api.version(served.id, served.version);
  const active = named(version.definition, (id) => nameOf(shopNames, id));
  if (isDeepStrictEqual(active, wanted)) return { ...withoutBacktest, action: 'unchanged', diff: [] };
  const result = await backtest(api, file, { name, definition, flowId: served.id });
  const diff = lineDiff(linesOf(active), linesOf(wanted));
  const sentences = sentencesOf(version.definition, definition, (id) => nameOf(shopNames, id));
  return { ...base, action: 'change', diff, sentences, backtest: result, violations: result.violations };
}

/** Both definitions are valid: the service has one, and has just accepted the other. */
const sentencesOf = (served: Fields, wanted: Fields, shopNameOf: (id: number) => string): string[] =>
  changeSentences(
    definitionOf(served as unknown as GivenDefinition),
    definitionOf(withoutNullFields(wanted)),
    shopNameOf,
  );

export const nameOf = (shopNames: ReadonlyMap<number, string>, id: number): string => shopNames.get(id) ?? `shop ${id}`;

const linesOf = (definition: Fields): string[] => formatted(definition).trimEnd().split('\n');

async function backtest(
  api: FlowsApi,
  file: FlowFile,
  { name, definition, flowId, limit }: { name: string; definition: Fields; flowId: number; limit?: number },
): Promise<Backtest> {
  try {
    return await api.backtest(flowId, definition, limit);
  } catch (error) {
    if (error instanceof ApiRefusal && error.code === 'validation_failed') throw inFile(file, name, error);
    throw error;
  }
}

/** The refusal of a definition, with the lines of its fields. */
function inFile(file: FlowFile, flow: string, { errors }: ApiRefusal): CommandError {
  const [first, ...further] = errors.map(({ field, message }) => {
    const place = placeOf(field);
    return file.errorAt(['flows', flow, ...place], `${place.join('.')} ${message}`);
  });
  for (const { message } of further) first!.message += `; ${message}`;
  return first!;
}
