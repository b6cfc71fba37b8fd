// Packs the packages for integrators into dist/tarballs, from where the API serves them. A step of `npm run build`.
// The tarballs include the dependencies, so that `npm install` needs no registry. `npm pack` is reproducible.
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = process.argv[2] ?? join(root, 'dist', 'tarballs');
const stage = mkdtempSync(join(tmpdir(), 'packages-'));
const run = promisify(execFile);

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Copies all dependencies of a package into the folder's node_modules. Returns the names of its direct dependencies. */
function addDependencies(manifest, folder) {
  const names = Object.keys(manifest.dependencies ?? {});
  for (const name of names) {
    // a package of this repository is a link; of it only what it publishes
    const source = realpathSync(join(root, 'node_modules', name));
    const isOurs = dirname(source) === join(root, 'packages');
    const isPacked = (path) =>
      !(isOurs && /^(src|node_modules|tsconfig\.json|dist[/\\]\.tsbuildinfo)$/.test(relative(source, path)));
    const filter = (path) => !path.endsWith('.map') && isPacked(path);
    cpSync(source, join(folder, 'node_modules', name), { recursive: true, filter });
    addDependencies(read(join(source, 'package.json')), folder);
  }
  return names;
}

/** Packs a copy of the package with its dependencies, because `npm pack` looks for them in the package's own node_modules only. */
async function pack(name) {
  const [source, folder, packed] = [join(root, 'packages', name), join(stage, name), join(stage, `packed-${name}`)];
  for (const part of ['README.md', 'dist']) cpSync(join(source, part), join(folder, part), { recursive: true });
  const manifest = read(join(source, 'package.json'));
  const bundled = { ...manifest, bundleDependencies: addDependencies(manifest, folder) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(bundled, null, 2)}\n`);
  mkdirSync(packed);
  const options = { cwd: folder, shell: process.platform === 'win32' };
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed], options);
  const [tarball] = readdirSync(packed);
  cpSync(join(packed, tarball), join(target, `${name}.tgz`));
}

try {
  mkdirSync(target, { recursive: true });
  await Promise.all(['client', 'provider-kit', 'receiver', 'routing'].map(pack));
} finally {
  rmSync(stage, { recursive: true });
}
