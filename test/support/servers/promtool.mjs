import { ensureProgram } from './installed-program.mjs';

/** Ensures that `promtool` is installed: installs it as root; otherwise throws one line that says what to do. */
export const ensurePromtoolInstalled = () =>
  ensureProgram({
    programs: ['promtool'],
    packages: { 'apt-get': 'prometheus', apk: 'prometheus' },
    needs: 'the tests of the alerts need promtool',
  });
