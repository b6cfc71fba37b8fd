// The page docs/internals/statements.md: statements that are put together from fragments of several files, as PostgreSQL runs them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const INTRO = `# Statements made of several files

Written by \`npm run docs:sql\`: do not change it by hand. The code puts these statements together from fragments of more than
one file, so that what must commit together is one statement. Here each stands as PostgreSQL runs it. Statements that are
written in one place are not listed. Of those that a function makes, the claim of due deliveries stands here for a day.
`;

/** Arguments with which functions that make statements are shown, by name. */
const EXAMPLES = { claimOn: ['2026-01-31'] };

const SOURCES = /\.queries\.ts$/;

/** Paths below `src` of the files that hold statements. */
const statementFiles = (src) =>
  readdirSync(src, { recursive: true })
    .filter((file) => SOURCES.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

/** The top-level declarations of a source: name, text, and the comment above. */
function declarationsOf(source) {
  const starts = [...source.matchAll(/^(?:export )?(?:const|function) (\w+)/gm)];
  return starts.map((match, index) => ({
    name: match[1],
    text: source.slice(match.index, starts[index + 1]?.index),
    comment: /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*$/.exec(source.slice(0, match.index))?.[1] ?? '',
  }));
}

/** Names of the values that a source imports from other files of ours. */
function importsOf(source) {
  const lists = [...source.matchAll(/^import \{([^}]*)\} from '(\.[^']*)';/gm)];
  return new Set(lists.flatMap(([, names]) => names.split(',').map((name) => name.trim())));
}

const wordsOf = (text) => new Set(text.replace(/\/\*\*[^]*?\*\//g, '').match(/\b\w+\b/g));

/** Whether a declaration uses imported values, by itself or through others of its file. */
function isSpliced(declaration, declarations, imported, seen = new Set()) {
  if (seen.has(declaration.name)) return false;
  seen.add(declaration.name);
  const words = wordsOf(declaration.text);
  if ([...words].some((word) => imported.has(word))) return true;
  return declarations.some((other) => words.has(other.name) && isSpliced(other, declarations, imported, seen));
}

const sentenceOf = (comment) => {
  const text = comment
    .replace(/^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return (/^.*?[.:](?= |$)/.exec(text)?.[0] ?? text).replace(/:$/, '.');
};

/** Without the indentation of the source. */
function dedented(sql) {
  const [first, ...rest] = sql.split('\n');
  const indent = Math.min(...rest.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return [first, ...rest.map((line) => line.slice(Number.isFinite(indent) ? indent : 0))].join('\n').trim();
}

/** Spliced statements of one file; `exported`: its module's exports. */
function splicedStatements(file, source, exported) {
  const declarations = declarationsOf(source);
  const imported = importsOf(source);
  return declarations
    .map((declaration) => ({ ...declaration, statement: statementOf(exported, declaration.name) }))
    .filter(({ statement }) => typeof statement?.text === 'string')
    .filter((declaration) => isSpliced(declaration, declarations, imported))
    .map(({ name, comment, statement }) => ({ file, constant: name, about: sentenceOf(comment), ...statement }));
}

const statementOf = (exported, name) => (EXAMPLES[name] ? exported[name]?.(...EXAMPLES[name]) : exported[name]);

/** The text of docs/internals/statements.md. `load(file)`: the module of a file below `src`. */
export async function sqlPage(src, load) {
  const statements = [];
  for (const file of statementFiles(src)) {
    statements.push(...splicedStatements(file, readFileSync(join(src, file), 'utf8'), await load(file)));
  }
  const contents = statements.map(({ name, file, about }) => `- \`${name}\` (\`${file}\`) ${about}`);
  const sections = statements.flatMap(({ name, constant, file, text }) => [
    `## ${name}`,
    '',
    `\`${constant}\` in \`${file}\``,
    '',
    '```sql',
    dedented(text),
    '```',
    '',
  ]);
  return `${[INTRO, ...contents, '', ...sections].join('\n').trimEnd()}\n`;
}
