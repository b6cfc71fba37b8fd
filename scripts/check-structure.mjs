// Prints figures about the structure of `src`, each with its limit, and fails if a limit is exceeded: `npm run check:structure`.
// The first argument is the root of another tree. A file contains one thing, the name of a folder says what is in it, and a folder stays small enough to read.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { createdTables, foreignTables, ownersOf, tablesWithoutOwner } from './table-owners.mjs';

if (process.argv[2]) process.chdir(process.argv[2]);

/** Imports of `src` without specs. Type imports count as well, because a reader follows them. */
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

/** Import cycles of folders: sets of folders in which each folder imports all others, directly or indirectly. */
function folderCycles() {
  const folders = new Map();
  for (const [file, targets] of imports) {
    const from = dirname(file);
    if (!folders.has(from)) folders.set(from, new Set());
    for (const to of targets.map((target) => dirname(target))) if (from !== to) folders.get(from).add(to);
  }
  const reached = new Map([...folders.keys()].map((folder) => [folder, closure(folders, folder)]));
  const cycles = [...folders.keys()].map((folder) =>
    [...reached.get(folder)].filter((other) => reached.get(other)?.has(folder)).sort(),
  );
  return new Set(cycles.filter((cycle) => cycle.length > 1).map((cycle) => cycle.join(' ↔ ')));
}

function closure(graph, start) {
  const seen = new Set();
  const pending = [...(graph.get(start) ?? [])];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    pending.push(...(graph.get(next) ?? []));
  }
  return seen;
}

/**
 * Maximum numeric constants of a folder, with its subfolders and without specs. Count by hand with:
 *   grep -rhE --include='*.ts' --exclude='*.spec.ts' "$NUMERIC" src/platform | wc -l   # NUMERIC: the expression below
 */
const BOUNDS = {
  // 35 until standing endpoints with a maximum rate of attempts
  'src/webhooks/engine': 38,
};

/** A constant at the top of a module whose value begins with a number, or a list or object of numbers on one line. */
const NUMERIC = /^(export )?const [A-Z][A-Z0-9_]*(: [^=]+)? = ([[(-]*|\{ \w+: )[0-9]/gm;

function linesOf(text) {
  return text.split('\n').length - 1;
}

/** The two figures of a folder. */
function folderFigures(folder) {
  const inside = files.filter((file) => file.startsWith(`${folder}/`)).map((file) => texts.get(file));
  if (inside.length === 0) throw new Error(`${folder}: no such folder; update BOUNDS`);
  const total = (count) => inside.reduce((sum, text) => sum + count(text), 0);
  const constants = BOUNDS[folder];
  return [
    { name: `lines of ${folder}`, value: total(linesOf) },
    {
      name: `numeric constants of ${folder}`,
      value: total((text) => text.match(NUMERIC)?.length ?? 0),
      ...(constants && atMost(constants)),
    },
  ];
}

/** The number of SQL statements that set the status of payments. */
const statusWrites = () =>
  [...texts.values()]
    .flatMap((text) => text.match(/UPDATE payments\b(?: \w+)? SET\b[^`]*?(?=WHERE|FROM|`)/g) ?? [])
    .filter((statement) => /\bstatus = /.test(statement)).length;

/** Names of statements that do not begin with their feature, as `shops.find` does. */
const featureless = [...texts].flatMap(([file, text]) =>
  [...text.matchAll(/name: (?:\w+ \? )?['`]([\w-]+)(?![\w.-])[^\n]*,\s*text:/g)].map(([, name]) => `${file}: ${name}`),
);

const perFolder = new Map();
for (const folder of files.map(dirname)) perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
const atMost = (bound) => ({ bound: `≤ ${bound}`, holds: (value) => value <= bound });
const atLeast = (bound) => ({ bound: `≥ ${bound}`, holds: (value) => value >= bound });
const cycles = [...folderCycles()];
const owners = ownersOf(readFileSync('docs/internals/architecture.md', 'utf8'));
const foreign = foreignTables(texts, owners);
const ownerless = tablesWithoutOwner(texts, createdTables(texts), owners);
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
  { name: 'most files in one folder', value: Math.max(...perFolder.values()), ...atMost(25) },
  { name: 'statements that write a status', value: statusWrites(), ...atMost(1) },
  { name: 'statement names without a feature', value: featureless.length, ...atMost(0) },
  { name: 'import cycles of folders', value: cycles.length, ...atMost(0) },
  { name: 'foreign tables in statements', value: foreign.length, ...atMost(0) },
  { name: 'tables without an owner', value: ownerless.length, ...atMost(0) },
  ...[...topFolders, ...Object.keys(BOUNDS)].flatMap(folderFigures),
];

for (const { name, value, bound = '', holds } of figures) {
  const mark = !holds || holds(value) ? ' ' : '✘';
  console.log(`${mark} ${name.padEnd(44)} ${String(value).padStart(5)}  ${bound}`);
}
for (const finding of [...featureless, ...cycles, ...foreign, ...ownerless]) console.log(`  ${finding}`);
process.exitCode = figures.every(({ value, holds }) => !holds || holds(value)) ? 0 : 1;
