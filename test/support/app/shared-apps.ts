import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

interface SharedApp {
  stop(): Promise<unknown>;
}

interface SharedApps extends Map<string, Promise<SharedApp>> {
  /** Whether a test has replaced the clock: at the end of its file the applications are stopped. */
  lostTimers?: boolean;
}

/** Kept by the environment of the worker (`test/support/runner/shared-environment.cjs`), because modules of tests are not. */
const apps = (): SharedApps | undefined =>
  (globalThis as unknown as Record<symbol, SharedApps | undefined>)[Symbol.for('payment-orchestrator.shared-apis')];

/** To be called before the timers of this thread are replaced, other than by Jest. */
export function loseTimers(): void {
  const kept = apps();
  if (kept) kept.lostTimers = true;
}

/** The application of this worker with the key, started by the first file that asks for it. */
export function sharedApp<App extends SharedApp>(key: string, start: () => Promise<App>): Promise<App> {
  const app = apps()!.get(key) ?? start();
  apps()!.set(key, app);
  return app as Promise<App>;
}

/** Own properties of each provider of an application, so that replacements of a test can be taken back. */
export class ProviderFunctions {
  private readonly own = new Map<object, Map<string, unknown>>();

  constructor(app: INestApplication) {
    for (const module of app.get(ModulesContainer).values()) {
      for (const { instance } of module.providers.values()) {
        if (isObject(instance)) this.own.set(instance, new Map(Object.entries(instance)));
      }
    }
  }

  /** Removes added properties, such as functions that hide those of the class, and puts back replaced functions. */
  restore(): void {
    for (const [provider, before] of this.own) {
      for (const name of Object.keys(provider)) if (!before.has(name)) Reflect.deleteProperty(provider, name);
      for (const [name, value] of before) {
        if (typeof value === 'function' && Reflect.get(provider, name) !== value) Reflect.set(provider, name, value);
      }
    }
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
