// Exports for tests of a connector.
export { chargeRequest } from './charge-request.js';
export { conformance, findingsOf, SITUATIONS, type TestRunner } from './conformance.js';
export { type FakeAnswer, type FakeCall, type FakeFault, FakeServer, type KeyAnswers } from './fake-server.js';
export { Finding, type Situation } from './finding.js';
export type {
  Held,
  Lack,
  LaterEvent,
  LaterEventName,
  Meaning,
  PageActions,
  PlayedAnswer,
  PlayedOn,
  ProviderFixture,
  Signer,
  WantedOutcome,
} from './fixture.js';
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
export { type Exchange, type PlayedBody, type PlayOptions, Wire } from './wire.js';
