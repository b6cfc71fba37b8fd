import { lazyRouteComponent } from '@tanstack/react-router';

/** Files of a page did not come. Its name keeps the router from loading the console again while the service is away. */
export class PageFilesError extends Error {
  override readonly name = 'PageFilesError';

  constructor(cause: unknown) {
    super('the files of this page did not come', { cause });
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
