import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { configurationPage, envExample } from '../../../scripts/settings-pages.mjs';
import { GROUPS } from '../../../src/platform/config/settings.js';

const page = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('The pages generated from the settings', () => {
  it('contain an up-to-date .env.example (`npm run docs:settings` updates it)', () => {
    expect(page('.env.example')).toBe(envExample(GROUPS));
  });

  it('contain an up-to-date docs/operate/configuration.md (`npm run docs:settings` updates it)', () => {
    expect(page('docs/operate/configuration.md')).toBe(configurationPage(GROUPS));
  });
});
