import { ensureProgram } from './installed-program.mjs';

/**
 * The name of a Chromium: the one without windows if there is one, which takes a quarter less CPU time. Installs it where
 * root may; throws one line that says what to do otherwise.
 */
export const ensureChromiumInstalled = () =>
  ensureProgram({
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    packages: { 'apt-get': 'chromium-headless-shell', apk: 'chromium' },
    needs: 'the tests of pages need a browser',
  });
