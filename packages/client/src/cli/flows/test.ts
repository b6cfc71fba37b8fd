import {
  assertionFailure,
  candidatesFor,
  type FlowDefinition,
  pickProbabilities,
  resultOf,
  routableFlow,
  type ShopStats,
} from '@payment-orchestrator/routing';
import { type Example, examplesIn } from './examples.js';
import type { FlowFile } from './flow-file.js';
import { TestShops } from './test-shops.js';

/** The outcome of one assertion or example. */
export interface TestResult {
  flow: string;
  /** An assertion, such as `assertions[0]`, or an example in words. */
  subject: string;
  /** `path:line`. */
  place: string;
  /** `undefined`: it holds. */
  failure: string | undefined;
}

export interface TestRun {
  results: TestResult[];
  /** Invalid values as `path:line: message`; with any, nothing was tested. */
  errors: string[];
}

/** A valid flow of a file. */
interface TestedFlow {
  file: FlowFile;
  name: string;
  definition: FlowDefinition;
}

/** Runs the assertions and examples of files without a service. The files are read together: one may have the examples of another's flows. */
export function testFiles(files: readonly FlowFile[]): TestRun {
  const errors: string[] = [];
  const shops = new TestShops(files, errors);
  const flows = new Map<string, TestedFlow>();
  for (const file of files) {
    for (const [name, given] of file.flows) {
      const known = flows.get(name);
      if (known) errors.push(file.errorAt(['flows', name], `flow ${name} is in ${known.file.path} too`).message);
      const definition = shops.definitionOf(file, name, given);
      if (definition && !known) flows.set(name, { file, name, definition });
    }
  }
  const examples = files.flatMap((file) => examplesIn(file, shops, errors));
  for (const { file, flow, place } of examples) {
    if (flows.has(flow) || errors.length > 0) continue;
    errors.push(file.errorAt(place, `no flow is called ${flow}, takes one of ${[...flows.keys()].join(', ')}`).message);
  }
  if (errors.length > 0) return { results: [], errors };
  const results = [
    ...[...flows.values()].flatMap((flow) => assertionResults(flow, shops)),
    ...examples.map((example) => exampleResult(flows.get(example.flow)!, example, shops)),
  ];
  return { results, errors };
}

function assertionResults({ file, name, definition }: TestedFlow, shops: TestShops): TestResult[] {
  const failure = resultOf(assertionFailure(definition, shops.summaries));
  return (definition.assertions ?? []).map((_, index) => {
    const subject = `assertions[${index}]`;
    const error = failure?.errors.find(({ field }) => field === subject);
    return {
      flow: name,
      subject,
      place: file.placeAt(['flows', name, 'assertions', index]),
      failure: error && shops.inWords(error.message),
    };
  });
}

function exampleResult({ definition }: TestedFlow, example: Example, shops: TestShops): TestResult {
  const { file, flow, place, subject } = example;
  return { flow, subject, place: file.placeAt(place), failure: failureOf(definition, example, shops) };
}

/** A shop may get the payment if it can be picked at some counter, for some customer or by some random number. */
function failureOf(
  definition: FlowDefinition,
  { payment, down, expected }: Example,
  shops: TestShops,
): string | undefined {
  const candidates = candidatesFor(routableFlow(definition, shops.summaries), payment, outages(down));
  if (candidates.declinedBy) {
    const { code } = candidates.declinedBy.decline;
    return expected.declined === code ? undefined : `a rule declines it with ${code}, ${wanted(expected)}`;
  }
  const picks = candidates.chosen ? pickProbabilities(candidates) : { shops: [], probabilities: [] };
  const found = picks.shops
    .map(({ shop }, index) => ({ name: shop.name, probability: picks.probabilities[index]! }))
    .filter(({ probability }) => probability > 0);
  if (found.length === 0) return expected.noShop ? undefined : `no shop takes it, ${wanted(expected)}`;
  const isExpected =
    expected.shops?.length === found.length && found.every(({ name }) => expected.shops?.includes(name));
  if (isExpected) return undefined;
  const shares = found.map(({ name, probability }) =>
    probability === 1 ? name : `${name} (${Math.round(100 * probability)} %)`,
  );
  return `it goes to ${shares.join(', ')}, ${wanted(expected)}`;
}

const wanted = ({ shops, declined }: Example['expected']): string => {
  if (shops) return `expected ${shops.join(', ')}`;
  return declined === undefined ? 'expected no shop' : `expected to be declined with ${declined}`;
};

const outages = (down: readonly number[]): Map<number, ShopStats> =>
  new Map(down.map((id) => [id, { approved: 0, declined: 0, failed: 0, health: 'unhealthy' as const }]));
