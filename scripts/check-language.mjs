// Checks that names, comments, texts and test titles use the field's words, that the pages of docs stay readable, and that no
// file has a marker of a merge conflict:
// `npm run check:language`, or `npm run check:language -- src/webhooks` for a part. The words are in language.json.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const { words, skipped } = JSON.parse(readFileSync(new URL('language.json', import.meta.url), 'utf8'));
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...process.argv.slice(2)], {
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => {
  return (
    /\.([cm]?[jt]sx?|md|ya?ml|sh|sql|json)$/.test(file) &&
    !skipped.some(({ path }) => file.startsWith(path)) &&
    existsSync(file)
  );
});
const problems = [];

const isMarkdown = (file) => file.endsWith('.md');
for (const { find, use, only, except = [] } of words) {
  const expression = new RegExp(find, 'gm');
  for (const file of files) {
    if ((only === 'code' && isMarkdown(file)) || except.some(({ path }) => file.startsWith(path))) continue;
    if (new RegExp(find).test(file))
      problems.push(`${file}: its name says "${new RegExp(find).exec(file)[0]}"; use ${use}`);
    const text = readFileSync(file, 'utf8');
    for (const { 0: found, index } of text.matchAll(expression)) {
      const line = text.slice(0, index + found.search(/\S/)).split('\n').length;
      problems.push(`${file}:${line}: "${found.trim().replace(/\s+/g, ' ')}"; use ${use}`);
    }
  }
}

/** Sentences of a page outside code, headings and short table cells; a link counts as its text, code as one word. */
function sentencesOf(page) {
  const text = page
    .replace(/^ *```[\s\S]*?^ *```/gm, '\n\n')
    .replace(/<!--[\s\S]*?-->|!\[[^\]]*\]\([^)]*\)|^#.*$/gm, '')
    .replace(/`[^`]+`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const blocks = text.split(/\n\s*\n|\n\s*(?=[-*|] |\d+\. )/).flatMap((block) => {
    return block.startsWith('|') ? block.split('|').filter((cell) => /[.:;] |\.$/.test(cell.trim())) : [block];
  });
  const sentences = blocks.flatMap((block) => block.split(/(?<=[.!?][)"*_]*)\s+(?=[A-Z"(*_\d]|code)/));
  return sentences
    .map((sentence) => sentence.match(/[\p{L}\d][\p{L}\d'’./,_-]*/gu)?.length ?? 0)
    .filter((words) => words > 2);
}

/** Counts words, and not the rules and bars of a table. */
const wordsOf = (page) => page.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
const atMost = (what, value, bound) => value > bound && problems.push(`${what}: ${value}, at most ${bound}`);

let total = 0;
for (const file of files.filter((name) => name === 'README.md' || /^docs\/.*\.md$/.test(name))) {
  const page = readFileSync(file, 'utf8');
  const isRecord = /^docs\/decisions\/\d/.test(file);
  const lengths = sentencesOf(page).sort((one, other) => one - other);
  const share = (part) => lengths[Math.ceil(part * lengths.length) - 1] ?? 0;
  atMost(`${file}: median words of a sentence`, share(0.5), 17);
  atMost(`${file}: words of a sentence, 95 % of them`, share(0.95), 30);
  if (file === 'README.md') atMost(`${file}: lines`, page.split('\n').length - 1, 150);
  if (file === 'README.md') atMost(`${file}: words`, wordsOf(page), 1_300);
  if (isRecord) atMost(`${file}: words`, wordsOf(page), 300);
  if (file.startsWith('docs/') && !file.startsWith('docs/decisions/')) total += wordsOf(page);
}
// 30,000 until rollouts, segments and fees, 28,000 until standing endpoints and pushed events, 26,000 until captures, accounts and connectors outside
atMost('docs without records: words', total, 31_500);

// also as Prettier writes them in Markdown: indented, quoted or escaped
const MARKER = String.raw`^[[:space:]]*(<{7}|>{7}|(> ){6}>|[|]{7})( |$)|^[[:space:]]*[\\]?={7}$`;
const marked = spawnSync('git', ['grep', '-nIE', MARKER, '--', ...process.argv.slice(2)], { encoding: 'utf8' });
if (marked.status > 1) throw new Error(marked.stderr);
problems.push(
  ...marked.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => `${line}; end the merge`),
);

if (problems.length > 0) {
  console.error(
    `${problems.join('\n')}\n${problems.length} findings; scripts/language.json has the words and their exceptions`,
  );
  process.exitCode = 1;
}
