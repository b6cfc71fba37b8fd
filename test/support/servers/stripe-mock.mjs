import { goProgram } from './go-program.mjs';

/** Stripe's official mock, which checks requests against Stripe's OpenAPI document. */
export const { installed: installedStripeMock, ensureInstalled: ensureStripeMockInstalled } = goProgram({
  name: 'stripe-mock',
  source: 'github.com/stripe/stripe-mock@v0.203.0',
  check: ['-version'],
  needs: "stripe-mock is needed to check requests by Stripe's own document",
  otherwise: ', with Go,',
});
