// Writes .env.example and docs/operate/configuration.md from the table of settings: `npm run docs:settings`, after a build.
// test/integration/platform/settings-pages.spec.ts fails when they are not current.
import { writeFileSync } from 'node:fs';
import { GROUPS } from '../dist/platform/config/settings.js';
import { configurationPage, envExample } from './settings-pages.mjs';

writeFileSync(new URL('../.env.example', import.meta.url), envExample(GROUPS));
writeFileSync(new URL('../docs/operate/configuration.md', import.meta.url), configurationPage(GROUPS));
