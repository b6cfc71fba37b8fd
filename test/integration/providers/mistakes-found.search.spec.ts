import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { acmeFixture } from '@payment-orchestrator/provider-kit/example/fixture';
import type { ProviderFactory } from '@payment-orchestrator/provider-kit';
import { findingsOf, SITUATIONS } from '@payment-orchestrator/provider-kit/testing';
import ts from 'typescript';
import { ANSWERS } from '../../support/providers/mistakes/answers.js';
import { ANSWERS_MORE } from '../../support/providers/mistakes/answers-more.js';
import { ERRORS } from '../../support/providers/mistakes/errors.js';
import { ERRORS_MORE } from '../../support/providers/mistakes/errors-more.js';
import { EVENTS } from '../../support/providers/mistakes/events.js';
import { EVENTS_MORE } from '../../support/providers/mistakes/events-more.js';
import type { Mistake } from '../../support/providers/mistakes/mistake.js';
import { REQUESTS } from '../../support/providers/mistakes/requests.js';
import { REQUESTS_MORE } from '../../support/providers/mistakes/requests-more.js';
import { FACTOR } from '../../support/fuzz/runs.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const MISTAKES = [ERRORS, ERRORS_MORE, ANSWERS, ANSWERS_MORE, REQUESTS, REQUESTS_MORE, EVENTS, EVENTS_MORE].flat();
/** `npm test` plants a quarter of them: each needs a connector and a fake of its own. */
const PLANTED = FACTOR === 1 ? MISTAKES.filter((_, index) => index % 4 === 0) : MISTAKES;
const KIT = fileURLToPath(new URL('../../../packages/provider-kit/', import.meta.url));
const FILES = ['api', 'charges', 'connector', 'events'] as const;
/** A condition that never holds is waited for so long; the connector without mistakes has a minute. */
const PATIENCE_MS = 300;

let folder: string;
beforeAll(async () => {
  jest.spyOn(console, 'debug').mockReturnValue(); // one of them logs
  folder = await temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});

const sources = Object.fromEntries(
  FILES.map((file) => [file, readFileSync(join(KIT, 'src/example', `${file}.ts`), 'utf8')]),
);

/** The example with the mistake, compiled in a folder of its own. */
async function planted({ patches }: Mistake, index: number): Promise<ProviderFactory> {
  const texts = { ...sources };
  for (const [file, from, to] of patches) {
    expect(texts[file]!.split(from)).toHaveLength(2);
    texts[file] = texts[file]!.replace(from, () => to);
  }
  const path = join(folder, String(index));
  mkdirSync(path);
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  for (const [file, text] of Object.entries(texts)) {
    const { outputText } = ts.transpileModule(text, { compilerOptions });
    const kit = JSON.stringify(join(KIT, 'dist/index.js'));
    writeFileSync(join(path, `${file}.js`), outputText.replaceAll("'@payment-orchestrator/provider-kit'", kit));
  }
  const module = (await import(pathToFileURL(join(path, 'connector.js')).href)) as { default: ProviderFactory };
  return module.default;
}

describe('the conformance suite', () => {
  it('finds at least 60 different mistakes, in at least 40 situations', () => {
    expect(new Set(MISTAKES.map(({ name }) => name)).size).toBe(MISTAKES.length);
    expect(MISTAKES.length).toBeGreaterThanOrEqual(60);
    const situations = new Set(SITUATIONS.map(({ name }) => name));
    expect(MISTAKES.filter(({ found }) => !situations.has(found))).toEqual([]);
    expect(new Set(MISTAKES.map(({ found }) => found)).size).toBeGreaterThanOrEqual(40);
  });

  it.each(PLANTED.map((mistake, index) => [mistake.name, mistake, index] as const))(
    'finds that a connector %s',
    async (_name, mistake, index) => {
      const create = await planted(mistake, index);
      const [finding] = await findingsOf(() => acmeFixture(create), [mistake.found], PATIENCE_MS);
      expect(finding).toMatchObject({ name: 'Finding' });
      expect(finding!.message).toMatch(
        /\n {2}expected: .+\n {2}got: .+\n {2}see: docs\/integrate\/write-a-connector\.md#/s,
      );
    },
  );
});
