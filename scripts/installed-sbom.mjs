// Reads the CycloneDX document of all locked packages and prints the part about packages in node_modules, reproducibly:
//   npm sbom --sbom-format cyclonedx --package-lock-only | node scripts/installed-sbom.mjs
// npm cannot create this document. With `--omit dev` it omits packages that production and development share (rxjs, jose), and
// it refuses a pruned folder. Fails if an installed package is not in the lock file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** `name@version` of the packages in a folder and in their own node_modules. */
function installed(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  return names.flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name.startsWith('@')) return installed(path);
    if (!existsSync(`${path}/package.json`)) return [];
    const { name: full, version } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    return [`${full}@${version}`, ...installed(`${path}/node_modules`)];
  });
}

const document = JSON.parse(await text(process.stdin));
const here = new Set(installed('node_modules'));
const components = document.components.filter((component) => here.has(component['bom-ref']));
const known = new Set(components.map((component) => component['bom-ref']));
for (const name of here) if (!known.has(name)) throw new Error(`${name} is not in package-lock.json`);

// random
delete document.serialNumber;
const timestamp = new Date(Number(process.env.SOURCE_DATE_EPOCH || 0) * 1_000).toISOString();
const metadata = { ...document.metadata, timestamp, lifecycles: [{ phase: 'build' }] };
known.add(metadata.component['bom-ref']);
const dependencies = document.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) }));
console.log(JSON.stringify({ ...document, metadata, components, dependencies }));
