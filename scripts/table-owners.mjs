// Which folder owns each table, and which statements of `src` name the table of another one.

/** The owner of each table, a folder of `src`: the first folder in the last column of the page's table. */
export function ownersOf(page) {
  const section = page.split('## Tables and who writes them')[1].split('\n## ')[0];
  const owners = new Map();
  for (const row of section.split('\n').filter((line) => line.startsWith('| `'))) {
    const [, tables, , writers] = row.split('|');
    const owner = /`([\w-]+)/.exec(writers)?.[1];
    for (const [, table] of tables.matchAll(/`(\w+)`/g)) owners.set(table, owner);
  }
  return owners;
}

/** Only `relations.ts` and the schema may name all tables, and every feature those of the platform. */
const RELATIONS = 'src/shared/relations.ts';
const SCHEMA = 'src/schema/';

/** One line for each table of another owner that a file of `texts` (path to text) names in SQL. */
export function foreignTables(texts, owners) {
  const found = [];
  for (const [file, text] of texts) {
    if (file === RELATIONS || file.startsWith(SCHEMA)) continue;
    const [, folder] = file.split('/');
    for (const table of tablesIn(text)) {
      const owner = owners.get(table);
      if (owner !== undefined && owner !== folder && owner !== 'platform') found.push(`${file}: ${table} of ${owner}`);
    }
  }
  return found;
}

/** The tables that statements of `src` name, and that have no owner. */
export function tablesWithoutOwner(texts, created, owners) {
  const named = [...texts].filter(([file]) => !file.startsWith(SCHEMA)).flatMap(([, text]) => [...tablesIn(text)]);
  return [...new Set(named.filter((table) => created.has(table) && !owners.has(table)))];
}

/** The tables of the schema. */
export const createdTables = (texts) =>
  new Set(
    [...texts]
      .filter(([file]) => file.startsWith(SCHEMA))
      .flatMap(([, text]) => [...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+)/g)])
      .map(([, table]) => table),
  );

/** Names after the words of SQL that tables follow, with those of a list; names that build a statement. */
const LISTS = /\b(?:FROM|JOIN|INTO|UPDATE|USING|ONLY|TABLE)\s+(\w+(?:\s+\w+)?(?:\s*,\s*\w+(?:\s+\w+)?)*)/g;
const BUILT = /['"`](\w+)(?= \w+ (?:WHERE|JOIN) )|searchByTime\([^)]*?'(\w+)'\)/g;

function tablesIn(text) {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  const listed = [...code.matchAll(LISTS)].flatMap(([, list]) =>
    list.split(',').map((each) => each.trim().split(/\s/)[0]),
  );
  const built = [...code.matchAll(BUILT)].map(([, one, other]) => one ?? other);
  return new Set([...listed, ...built]);
}
