// Prints how the house is built, each figure with its bound, and fails when one is missed: `npm run check:house`.
// A file holds one thing that somebody would look for; a folder says what is inside; what a delivery passes is short.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { cruise } from 'dependency-cruiser';

/** Imports of `src` without specs; type imports count as well: whoever reads a file follows them, too. */
const { output } = await cruise(['src'], {
  exclude: { path: '\\.spec\\.ts$' },
  includeOnly: '^src/',
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
});
const imports = new Map(
  output.modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]),
);
const files = [...imports.keys()].sort();
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

/** As `wc -l` has it. */
const lines = files.map((file) => texts.get(file).split('\n').length - 1).sort((one, other) => one - other);

/** The folders' circles: sets of folders each of which leads to all others of its set by imports. */
function folderCircles() {
  const folders = new Map();
  for (const [file, targets] of imports) {
    const from = dirname(file);
    if (!folders.has(from)) folders.set(from, new Set());
    // the modules of a folder join its rooms, and a room may use what lies beside it
    for (const to of targets.map((target) => dirname(target))) if (!isNested(from, to)) folders.get(from).add(to);
  }
  const reached = new Map([...folders.keys()].map((folder) => [folder, closure(folders, folder)]));
  const circles = [...folders.keys()].map((folder) =>
    [...reached.get(folder)].filter((other) => reached.get(other)?.has(folder)).sort(),
  );
  return new Set(circles.filter((circle) => circle.length > 1).map((circle) => circle.join(' ↔ ')));
}

const isNested = (one, other) => `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

function closure(graph, start) {
  const seen = new Set();
  const left = [...(graph.get(start) ?? [])];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    left.push(...(graph.get(next) ?? []));
  }
  return seen;
}

/**
 * What a webhook passes from the entry point for status changes to the socket, and back to its row. Each leg starts in
 * the file that holds the first of the words; the next are reached from there by the shortest way of imports. No import
 * leads from leg to leg, but the commit, the wake-up and what is injected.
 */
const LEGS = [
  [
    'changeStatus(paymentId: number',
    'INSERT INTO pending_deliveries',
    'function renderWebhookBody(',
    'class LaneNotifier ',
  ],
  ['class DeliveryWorker ', 'class DeliveryDispatcher '],
  ['class DeliveryDispatcher ', 'abstract class DeliveryStore ', 'class HttpExchange ', 'function nextStep('],
  ['class PostgresDeliveryStore ', 'FOR UPDATE SKIP LOCKED'],
];

/** Every file on these ways, once. */
const filesOfADelivery = () =>
  new Set(
    LEGS.flatMap(([start, ...stops]) => {
      const from = fileWith(start, files);
      return stops.flatMap((words) => shortestWay(from, words));
    }),
  );

function fileWith(words, among) {
  const found = among.find((file) => texts.get(file).includes(words));
  if (found === undefined) throw new Error(`no file holds '${words}': name in LEGS what does the work now`);
  return found;
}

/** To the nearest file that holds the words; not by way of the database, where the migrations hold all of them. */
function shortestWay(from, words) {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    if (texts.get(way.at(-1)).includes(words)) return way;
    for (const next of imports.get(way.at(-1))) {
      if (seen.has(next) || !imports.has(next) || next.startsWith('src/platform/database/')) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  throw new Error(`no way by imports from ${from} to '${words}': name in LEGS what does the work now`);
}

/** Statements that set the status of payments. */
const statusWrites = () =>
  [...texts.values()]
    .flatMap((text) => text.match(/UPDATE payments\b(?: \w+)? SET\b[^`]*?(?=WHERE|FROM|`)/g) ?? [])
    .filter((statement) => /\bstatus = /.test(statement)).length;

const perFolder = new Map();
// migrations are a list in order of time, which nobody searches and nobody may shorten
const searched = files.map(dirname).filter((folder) => !folder.endsWith('/migrations'));
for (const folder of searched) perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
const atMost = (bound) => ({ bound: `≤ ${bound}`, holds: (value) => value <= bound });
const atLeast = (bound) => ({ bound: `≥ ${bound}`, holds: (value) => value >= bound });
const circles = [...folderCircles()];

const figures = [
  { name: 'files of src without specs', value: files.length },
  { name: 'median lines of a file', value: lines[lines.length >> 1], ...atLeast(60) },
  {
    name: 'files with at most 20 lines, %',
    value: Math.round((lines.filter((count) => count <= 20).length / lines.length) * 1_000) / 10,
    ...atMost(7),
  },
  { name: 'most files in one folder', value: Math.max(...perFolder.values()), ...atMost(24) },
  { name: 'files from changeStatus to the socket', value: filesOfADelivery().size, ...atMost(18) },
  { name: 'statements that write a status', value: statusWrites(), ...atMost(1) },
  { name: 'circles of folders', value: circles.length, ...atMost(0) },
];

for (const { name, value, bound = '', holds } of figures) {
  const mark = !holds || holds(value) ? ' ' : '✘';
  console.log(`${mark} ${name.padEnd(40)} ${String(value).padStart(5)}  ${bound}`);
}
for (const circle of circles) console.log(`  ${circle}`);
if (process.argv.includes('--files')) console.log([...filesOfADelivery()].join('\n'));
process.exitCode = figures.every(({ value, holds }) => !holds || holds(value)) ? 0 : 1;
