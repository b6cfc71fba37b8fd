import { ensureProgram } from './installed-program.mjs';

/** Makes sure that there is a `pgbouncer`: installs it where root may; throws one line that says what to do otherwise. */
export const ensurePgBouncerInstalled = () =>
  ensureProgram({
    // Debian's place is in root's PATH alone
    programs: ['pgbouncer', '/usr/sbin/pgbouncer'],
    packages: { 'apt-get': 'pgbouncer', apk: 'pgbouncer' },
    needs: 'the tests of poolers need PgBouncer',
  });
