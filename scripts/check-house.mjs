// Prints how the house is built, each figure with its bound, and fails when one is missed: `npm run check:house`.
// A file holds one thing that a reader would look for; a folder says what is inside; a room stays small enough to read.
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

const lines = files.map((file) => linesOf(texts.get(file))).sort((one, other) => one - other);

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
 * The most lines and numeric constants of a folder, with its subfolders and without specs. Repeat a count with:
 *   find src/platform -name '*.ts' ! -name '*.spec.ts' -exec cat {} + | wc -l
 *   grep -rhE --include='*.ts' --exclude='*.spec.ts' "$NUMERIC" src/platform | wc -l   # NUMERIC: the expression below
 */
const BOUNDS = {
  'src/webhooks/delivery': { lines: 2_250, constants: 35 },
  'src/platform': { lines: 9_800, constants: 142 },
  src: { lines: 47_200, constants: 480 },
};

/** A constant at the top of a module whose value begins with a number, or a list or object of numbers on one line. */
const NUMERIC = /^(export )?const [A-Z][A-Z0-9_]*(: [^=]+)? = ([[(-]*|\{ \w+: )[0-9]/gm;

function linesOf(text) {
  return text.split('\n').length - 1;
}

/** The two figures of a folder. */
function room(folder) {
  const inside = files.filter((file) => file.startsWith(`${folder}/`)).map((file) => texts.get(file));
  if (inside.length === 0) throw new Error(`${folder}: no such folder; name in BOUNDS the one that has its work now`);
  const total = (count) => inside.reduce((sum, text) => sum + count(text), 0);
  const { lines, constants } = BOUNDS[folder] ?? {};
  return [
    { name: `lines of ${folder}`, value: total(linesOf), ...(lines && atMost(lines)) },
    {
      name: `numeric constants of ${folder}`,
      value: total((text) => text.match(NUMERIC)?.length ?? 0),
      ...(constants && atMost(constants)),
    },
  ];
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
const topFolders = new Set(
  files.map((file) => file.split('/').slice(0, 2).join('/')).filter((name) => !name.endsWith('.ts')),
);
for (const folder of Object.keys(BOUNDS)) topFolders.delete(folder);

const figures = [
  { name: 'files of src without specs', value: files.length },
  { name: 'median lines of a file', value: lines[lines.length >> 1], ...atLeast(60) },
  {
    name: 'files with at most 20 lines, %',
    value: Math.round((lines.filter((count) => count <= 20).length / lines.length) * 1_000) / 10,
    ...atMost(7),
  },
  { name: 'most files in one folder', value: Math.max(...perFolder.values()), ...atMost(24) },
  { name: 'statements that write a status', value: statusWrites(), ...atMost(1) },
  { name: 'circles of folders', value: circles.length, ...atMost(0) },
  ...[...topFolders, ...Object.keys(BOUNDS)].flatMap(room),
];

for (const { name, value, bound = '', holds } of figures) {
  const mark = !holds || holds(value) ? ' ' : '✘';
  console.log(`${mark} ${name.padEnd(44)} ${String(value).padStart(5)}  ${bound}`);
}
for (const circle of circles) console.log(`  ${circle}`);
process.exitCode = figures.every(({ value, holds }) => !holds || holds(value)) ? 0 : 1;
