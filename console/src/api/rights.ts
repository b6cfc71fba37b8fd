// The table of the service itself: what a role may do is written once.
export { ROLE_NAMES, ROLES, type Role } from '../../../src/access/roles';
export { SCOPE_MEANINGS, SCOPES, type Scope } from '../../../src/access/scopes';
