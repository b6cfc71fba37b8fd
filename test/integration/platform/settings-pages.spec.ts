import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { configurationPage, envExample } from '../../../scripts/settings-pages.mjs';
import { GROUPS } from '../../../src/platform/config/settings.js';

const page = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('the pages of settings', () => {
  it('.env.example is current: otherwise `npm run docs:settings`', () => {
    expect(page('.env.example')).toBe(envExample(GROUPS));
  });

  it('docs/operate/configuration.md is current: otherwise `npm run docs:settings`', () => {
    expect(page('docs/operate/configuration.md')).toBe(configurationPage(GROUPS));
  });
});
