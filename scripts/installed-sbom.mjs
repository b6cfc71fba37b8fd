// Takes the CycloneDX document of all locked packages and prints that of those in node_modules, the same for the same input:
//   npm sbom --sbom-format cyclonedx --package-lock-only | node scripts/installed-sbom.mjs
// npm itself has no such document: with `--omit dev` it leaves out what both production and development need (rxjs, jose), and
// of a pruned folder it makes none. Fails when something is installed that the lock does not know.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** `name@version` of the packages in a folder, and in theirs. */
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
for (const name of here) if (!known.has(name)) throw new Error(`package-lock.json does not know ${name}`);

// drawn at random
delete document.serialNumber;
const timestamp = new Date(Number(process.env.SOURCE_DATE_EPOCH || 0) * 1_000).toISOString();
const metadata = { ...document.metadata, timestamp, lifecycles: [{ phase: 'build' }] };
known.add(metadata.component['bom-ref']);
const dependencies = document.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) }));
console.log(JSON.stringify({ ...document, metadata, components, dependencies }));
