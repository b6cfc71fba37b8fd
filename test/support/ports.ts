/** For what needs to know its port beforehand; everything else listens on port 0. */
export { freePort } from './redis-server.mjs';
