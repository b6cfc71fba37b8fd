import { ensureProgram } from './installed-program.mjs';

/** Ensures that `pgbouncer` is installed: installs it as root; otherwise throws one line that says what to do. */
export const ensurePgBouncerInstalled = () =>
  ensureProgram({
    // Debian's path is only in root's PATH
    programs: ['pgbouncer', '/usr/sbin/pgbouncer'],
    packages: { 'apt-get': 'pgbouncer', apk: 'pgbouncer' },
    needs: 'the tests of poolers need PgBouncer',
  });
