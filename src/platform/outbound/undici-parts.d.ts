// The parts of undici that we use. Its index would also load fetch, WebSocket, caches and mocks, which takes 70 ms.
// These parts are not a documented interface, so the version is pinned exactly, and the specs of this folder use them.
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici';
}
