// Writes the OpenAPI document, and the client's types from it: `npm run client:generate`, after a build.
// With `--check` it writes nothing, and fails if one of the files is not current.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from '../dist/bootstrap/document.js';

const HEADER = '// Generated from docs/openapi.json by `npm run client:generate`: do not change it by hand.\n\n';

/** TypeScript can name the other fields of a condition exactly; see condition-openapi.ts. */
const OPEN_CONDITION = /( {8}Condition: \{[^]*?\n {8}\}) & \{\n {12}\[key: string\]: unknown;\n {8}\};/;
const CONDITION = '$1 & {\n            [key: `metadata.${string}`]: components["schemas"]["MetadataTest"];\n        };';

/** The type of `not` in a test of a condition: a value as in `equals`, or an array as in `in`. */
const OPEN_NOT = /(equals\?: )([^;]+)(;[^}]*?in\?: )([^;]+)(;[^}]*?not\?: )unknown;/g;
const NOT = '$1$2$3$4$5$2 | $4;';

/** The TypeScript types of the document. */
async function typesOf(document) {
  const types = astToString(await openapiTS(document));
  if (!OPEN_CONDITION.test(types)) throw new Error('Condition is not as expected: check OPEN_CONDITION');
  if (types.match(OPEN_NOT)?.length !== 8)
    throw new Error('the tests of conditions are not as expected: check OPEN_NOT');
  return (
    HEADER +
    types
      .replace(OPEN_CONDITION, CONDITION)
      .replace(OPEN_NOT, NOT)
      .replace(/export type \$defs = .*\n/, '')
  );
}

const document = await openApiDocument();
const files = {
  'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'packages/client/src/schema.ts': await typesOf(document),
};

const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not current: npm run client:generate`);
    process.exitCode = 1;
  }
}
