import type { GROUPS } from '../src/platform/config/settings.js';

export function envExample(groups: typeof GROUPS): string;
export function configurationPage(groups: typeof GROUPS): string;
