// Bundles the packages that dist imports into dist/packages, and has dist import them from there: a process then opens 600
// files at its start instead of 3,200, which was most of what a start costs. A step of `npm run build`; dist works without
// it as well.
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
 * Stay in node_modules: what only some processes load, when they need it; drivers and plugins that are not installed; pg, as
 * tests and tools that watch a process reach into it; what finds files of its own beside itself.
 */
const LEFT_OUT =
  /^(pg|pg-native|@opentelemetry\/(?!api$).+|stripe|@adyen\/.+|openid-client|swagger-ui-dist\/.+|msgpackr-extract|@nestjs\/(microservices|websockets)\/.+|@nestjs\/(microservices|websockets|platform-express)|@fastify\/(multipart|view)|thread-stream|pino-pretty)$/;

const isBundled = (name) => !/^(node:|\.{0,2}\/)/.test(name) && !LEFT_OUT.test(name);

const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ path: join(dist, name), text: readFileSync(join(dist, name), 'utf8') }))
  .map((file) => ({ ...file, imports: importsOf(file) }));

/** Static imports and exports of packages: where the package's name stands, and which of its exports are meant. */
function importsOf({ text }) {
  const statements = parseAst(text).body.filter(({ source }) => source && isBundled(source.value));
  return statements.map(({ source, specifiers = [] }) => ({ source, names: specifiers.map(nameOf) }));
}

/** `*`: all of them. */
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

/** What these load through a `require` of their own would be loaded a second time, from node_modules. */
const requiresOfModules = {
  name: 'requires of modules',
  transform: {
    filter: { id: /node_modules\/@nestjs\/(typeorm|mapped-types)\//, code: 'createRequire(' },
    handler: (code, id) => {
      if (!OWN_REQUIRE.test(code)) throw new Error(`${id}: has its require in another way`);
      return code.replace(OWN_REQUIRE, '');
    },
  },
};

/** TypeORM requires all of its drivers at once, and these, which nobody uses here, are two fifths of it. Its core uses MongoDB's. */
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
  const what = names.has('*') ? '*' : `{ ${[...names].join(', ')} }`;
  writeFileSync(file, `export ${what} from '${name}';\n`);
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
  // decorators and `reflect-metadata` count on it
  strictExecutionOrder: true,
  comments: false,
});
rmSync(entries, { recursive: true });

for (const { path, text, imports } of files) {
  if (imports.length === 0) continue;
  const led = imports.reduceRight((done, { source: { start, end, value } }) => {
    const target = relative(dirname(path), join(folder, `${fileNameOf(value)}.js`)).replaceAll(sep, '/');
    return `${done.slice(0, start)}'${target.startsWith('.') ? target : `./${target}`}'${done.slice(end)}`;
  }, text);
  writeFileSync(path, led);
}
