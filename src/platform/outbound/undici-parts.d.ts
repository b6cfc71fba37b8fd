// The parts of undici that are used, without those that are not: its index loads 70 ms of fetch, WebSocket, caches and mocks.
// Not part of its documented interface, so its version is pinned exactly, and the specs of this folder go through them.
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici';
}
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
