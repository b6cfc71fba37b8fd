// Bundles the packages that dist imports into dist/packages, and changes the imports of dist to these bundles. A process then
// opens 600 files at its start instead of 3,200, which took most of the start time. A step of `npm run build`; dist also works
// without it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = process.argv[2] ?? join(root, 'dist');
const folder = join(dist, 'packages');
const entries = join(dist, 'package-entries');

/**
 * Packages that stay in node_modules: packages that only some processes load on demand, drivers and plugins that are not
 * installed, pg (tests and monitoring tools patch it), and packages that read files next to their code.
 */
const LEFT_OUT =
  /^(pg|pg-native|@opentelemetry\/(?!api$).+|stripe|@adyen\/.+|openid-client|swagger-ui-dist\/.+|msgpackr-extract|@nestjs\/(microservices|websockets)\/.+|@nestjs\/(microservices|websockets|platform-express)|@fastify\/(multipart|view)|thread-stream|pino-pretty)$/;

const isBundled = (name) => !/^(node:|\.{0,2}\/)/.test(name) && !LEFT_OUT.test(name);

const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ path: join(dist, name), text: readFileSync(join(dist, name), 'utf8') }))
  .map((file) => ({ ...file, imports: importsOf(file) }));

/** The static imports and exports of packages: the position of the package's name, and the names of the used exports. */
function importsOf({ text }) {
  const statements = parseAst(text).body.filter(({ source }) => source && isBundled(source.value));
  return statements.map(({ source, specifiers = [] }) => ({ source, names: specifiers.map(nameOf) }));
}

/** The imported name; `*` for all exports. */
function nameOf({ type, imported, local }) {
  if (type === 'ImportDefaultSpecifier') return 'default';
  if (type === 'ImportNamespaceSpecifier') return '*';
  return (imported ?? local).name;
}

/** The exports that are used, by package. */
const used = new Map();
for (const { source, names } of files.flatMap(({ imports }) => imports)) {
  used.set(source.value, new Set([...(used.get(source.value) ?? []), ...names]));
}

const fileNameOf = (name) => name.replace(/^@/, '').replaceAll(/[/.]/g, '-');

const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

/** Removes the own `require` of these packages: it would load packages a second time, from node_modules. */
const requiresOfModules = {
  name: 'requires of modules',
  transform: {
    filter: { id: /node_modules\/@nestjs\/(typeorm|mapped-types)\//, code: 'createRequire(' },
    handler: (code, id) => {
      if (!OWN_REQUIRE.test(code)) throw new Error(`${id}: creates its require in another way`);
      return code.replace(OWN_REQUIRE, '');
    },
  },
};

/** TypeORM loads all of its drivers. These are not used here and are two fifths of it. MongoDB's stays: TypeORM's core uses it. */
const OTHER_DRIVERS =
  /typeorm\/driver\/(aurora-\w+|better-sqlite3|capacitor|cockroachdb|cordova|expo|mysql|nativescript|oracle|react-native|sap|spanner|sqlite-abstract|sqljs|sqlserver)\/\w+(Driver|QueryRunner)\.js$/;
const otherDrivers = {
  name: 'other drivers',
  load: { filter: { id: OTHER_DRIVERS }, handler: () => ({ code: 'module.exports = {};', moduleType: 'js' }) },
};

mkdirSync(entries, { recursive: true });
const input = {};
for (const [name, names] of used) {
  const file = (input[fileNameOf(name)] = join(entries, `${fileNameOf(name)}.mjs`));
  const exported = names.has('*') ? '*' : `{ ${[...names].join(', ')} }`;
  writeFileSync(file, `export ${exported} from '${name}';\n`);
}
const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input,
  external: LEFT_OUT,
  plugins: [requiresOfModules, otherDrivers],
  onLog: (level, log) => {
    if (log.code !== 'EVAL') throw new Error(log.message);
  },
});
await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // decorators and `reflect-metadata` depend on it
  strictExecutionOrder: true,
  comments: false,
});
rmSync(entries, { recursive: true });

for (const { path, text, imports } of files) {
  if (imports.length === 0) continue;
  const rewritten = imports.reduceRight((done, { source: { start, end, value } }) => {
    const target = relative(dirname(path), join(folder, `${fileNameOf(value)}.js`)).replaceAll(sep, '/');
    return `${done.slice(0, start)}'${target.startsWith('.') ? target : `./${target}`}'${done.slice(end)}`;
  }, text);
  writeFileSync(path, rewritten);
}
