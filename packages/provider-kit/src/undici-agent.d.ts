// The part of undici that we use. Its index would also load fetch, WebSocket, caches and mocks, which takes 70 ms. The part
// is not a documented interface, so the version is pinned exactly.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
