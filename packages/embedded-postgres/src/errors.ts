/** No PostgreSQL can run on this machine; the message gives the reason. */
export class UnsupportedPlatformError extends Error {
  override name = 'UnsupportedPlatformError';
}

/** The folder cannot hold a cluster. */
export class UnusableFolderError extends Error {
  override name = 'UnusableFolderError';

  constructor(
    /** The path, with the system's error code if there is one. */
    readonly folder: string,
    /** The folder that is needed instead, such as `a folder that this process may read and write`. */
    readonly needs: string,
  ) {
    super(`${folder}: not ${needs}`);
  }
}
