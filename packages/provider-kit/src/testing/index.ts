// Exports for tests of a connector.
export { chargeRequest } from './charge-request.js';
export { conformance, type TestRunner } from './conformance.js';
export { type FakeAnswer, type FakeCall, type FakeFault, FakeServer, type KeyAnswers } from './fake-server.js';
export type { Held, PageActions, ProviderFixture, WantedOutcome } from './fixture.js';
export {
  breakConnection,
  type ConnectionFault,
  type FaultTiming,
  ScriptedNotifications,
  ScriptedProvider,
  ScriptedServer,
  type SignedNotification,
  signedNotification,
  writeIssuerPage,
} from './scripted-provider.js';
export { systemContext } from './system-context.js';
