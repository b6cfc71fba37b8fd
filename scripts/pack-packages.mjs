// Packs the packages for integrators into dist/tarballs, from where the API serves them. Last step of `npm run build`.
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

const OWN = '@payment-orchestrator/';

/** Copies what a package of this repository publishes. */
function copyOwn(source, target) {
  for (const part of ['README.md', 'dist', 'package.json']) {
    cpSync(join(source, part), join(target, part), {
      recursive: true,
      dereference: true,
      filter: (path) => !path.endsWith('.tsbuildinfo'),
    });
  }
}

/** Copies all dependencies of a package into the folder's node_modules. Returns the names of its direct dependencies. */
function addDependencies(manifest, folder) {
  const names = Object.keys(manifest.dependencies ?? {});
  for (const name of names) {
    const source = join(root, 'node_modules', name);
    const target = join(folder, 'node_modules', name);
    if (name.startsWith(OWN)) copyOwn(source, target);
    else cpSync(source, target, { recursive: true, filter: (path) => !path.endsWith('.map') });
    addDependencies(read(join(source, 'package.json')), folder);
  }
  return names;
}

/** Copies a package with its dependencies, because `npm pack` looks for them in the package's own node_modules only. */
function stagePackage(name) {
  const [source, folder] = [join(root, 'packages', name), join(stage, name)];
  copyOwn(source, folder);
  const manifest = read(join(source, 'package.json'));
  const bundled = { ...manifest, bundleDependencies: addDependencies(manifest, folder) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(bundled, null, 2)}\n`);
}

try {
  mkdirSync(target, { recursive: true });
  for (const name of ['client', 'provider-kit', 'receiver', 'routing']) {
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
