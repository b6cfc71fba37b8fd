import { ensureProgram } from './installed-program.mjs';

/**
 * The name of an installed Chromium; the headless shell is preferred, because it takes a quarter less CPU time.
 * Installs it as root; otherwise throws one line that says what to do.
 */
export const ensureChromiumInstalled = () =>
  ensureProgram({
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    packages: { 'apt-get': 'chromium-headless-shell', apk: 'chromium' },
    needs: 'the tests of pages need a browser',
  });
