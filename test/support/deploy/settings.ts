import { fileURLToPath } from 'node:url';
import { type SettingName, SETTINGS } from '../../../src/platform/config/settings.js';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export const settingNames: string[] = Object.keys(SETTINGS);

/** The settings that are secrets, or URLs with a password. */
export const secretNames = settingNames.filter((name) => SETTINGS[name as SettingName].isSecret);
