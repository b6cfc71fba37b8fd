// Packs packages/client, packages/provider-kit and packages/receiver into dist/tarballs, from where the API serves them. Last step of `npm run build`.
// The tarballs include the dependencies, so that `npm install` needs no registry. `npm pack` is reproducible.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = process.argv[2] ?? join(root, 'dist', 'tarballs');
const stage = mkdtempSync(join(tmpdir(), 'packages-'));

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Copies all dependencies of a package into the folder's node_modules. Returns the names of its direct dependencies. */
function addDependencies(manifest, folder) {
  const names = Object.keys(manifest.dependencies ?? {});
  for (const name of names) {
    const source = join(root, 'node_modules', name);
    const filter = (path) => !path.endsWith('.map');
    cpSync(source, join(folder, 'node_modules', name), { recursive: true, filter });
    addDependencies(read(join(source, 'package.json')), folder);
  }
  return names;
}

/** Copies a package with its dependencies, because `npm pack` looks for them in the package's own node_modules only. */
function stagePackage(name) {
  const [source, folder] = [join(root, 'packages', name), join(stage, name)];
  for (const part of ['README.md', 'dist']) cpSync(join(source, part), join(folder, part), { recursive: true });
  const manifest = read(join(source, 'package.json'));
  const bundled = { ...manifest, bundleDependencies: addDependencies(manifest, folder) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(bundled, null, 2)}\n`);
}

try {
  mkdirSync(target, { recursive: true });
  for (const name of ['client', 'provider-kit', 'receiver']) {
    stagePackage(name);
    const options = {
      cwd: join(stage, name),
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    };
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', stage], options);
    const [packed] = readdirSync(stage).filter((file) => file.endsWith('.tgz'));
    cpSync(join(stage, packed), join(target, `${name}.tgz`));
    rmSync(join(stage, packed));
  }
} finally {
  rmSync(stage, { recursive: true });
}
