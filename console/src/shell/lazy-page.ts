import { lazyRouteComponent } from '@tanstack/react-router';

/** The files of a page could not be loaded. The error's own name keeps the router from reloading the console meanwhile. */
export class PageFilesError extends Error {
  override readonly name = 'PageFilesError';

  constructor(cause: unknown) {
    super('the files of this page could not be loaded', { cause });
  }
}

/** A page that is loaded when it is first opened. */
export const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent<Module, Name>(async () => {
    try {
      return await load();
    } catch (error) {
      throw new PageFilesError(error);
    }
  }, name);
