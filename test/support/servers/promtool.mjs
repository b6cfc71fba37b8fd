import { ensureProgram } from './installed-program.mjs';

/** Makes sure that there is a `promtool`: installs it where root may; throws one line that says what to do otherwise. */
export const ensurePromtoolInstalled = () =>
  ensureProgram({
    programs: ['promtool'],
    packages: { 'apt-get': 'prometheus', apk: 'prometheus' },
    needs: 'the tests of the alerts need promtool',
  });
