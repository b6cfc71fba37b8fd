import { type SettingName, SETTINGS, type Value } from './settings.js';

/**
 * Typed access to environment variables. An empty variable counts as absent, because `docker compose` passes unset ones
 * that way.
 */
export class EnvReader {
  constructor(private readonly env: Record<string, string | undefined>) {}

  isSet(name: SettingName): boolean {
    return this.text(name) !== undefined;
  }

  /** The value or the default. Throws a `ConfigError`. */
  get<N extends SettingName>(name: N): Value<N> {
    const text = this.text(name) ?? this.defaultText(name);
    return (text === undefined ? undefined : SETTINGS[name].parse(text, name)) as Value<N>;
  }

  text(name: SettingName): string | undefined {
    const text = this.env[name];
    return text === '' ? undefined : text;
  }

  /** The variables that are no settings of the service. */
  others(): Record<string, string> {
    const others = Object.entries(this.env).filter(([name, text]) => text && !Object.hasOwn(SETTINGS, name));
    return Object.fromEntries(others) as Record<string, string>;
  }

  defaultText(name: SettingName): string | undefined {
    const fallback = SETTINGS[name].default;
    if (fallback === undefined || typeof fallback === 'string') return fallback;
    return fallback[this.isSet('DATABASE_URL') ? 1 : 0];
  }
}
