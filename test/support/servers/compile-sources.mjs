import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const options = {
  swcrc: false,
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
  },
};

/**
 * Jest's global setup runs outside Jest's transform. This compiles `folders` of src to JavaScript, so that the harness
 * depends neither on dist (which may be missing, old or being rebuilt) nor on the rest of src. The output is in
 * node_modules, where imports of packages resolve. Returns the folder that corresponds to src.
 */
export function compileSources(folders) {
  const target = join(root, 'node_modules', '.cache', 'test-harness', String(process.pid));
  rmSync(target, { recursive: true, force: true });
  compileInto(target, 'src', folders);
  return target;
}

/** Compiles `folders` of the project's folder `from` to JavaScript in `target`, with the same paths below `from`. */
export function compileInto(target, from, folders) {
  for (const folder of folders) {
    for (const file of sourcesIn(join(root, from, folder))) {
      const { code } = transformSync(readFileSync(file, 'utf8'), { ...options, filename: file });
      const output = join(target, relative(join(root, from), file).replace(/\.ts$/, '.js'));
      mkdirSync(dirname(output), { recursive: true });
      writeFileSync(output, code);
    }
  }
  writeFileSync(join(target, 'package.json'), '{"type":"module"}');
}

const sourcesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(ts|mjs)$/.test(name) && !/\.(spec|d)\.m?ts$/.test(name))
    .map((name) => join(folder, name.split('/').join(sep)));
