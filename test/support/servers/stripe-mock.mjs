import { goProgram } from './go-program.mjs';

/** The Go module of Stripe's official mock. */
export const STRIPE_MOCK_MODULE = 'github.com/stripe/stripe-mock@v0.203.0';

/** Stripe's official mock, which checks requests against Stripe's OpenAPI document. */
export const { installed: installedStripeMock, ensureInstalled: ensureStripeMockInstalled } = goProgram({
  name: 'stripe-mock',
  source: STRIPE_MOCK_MODULE,
  check: ['-version'],
  needs: "stripe-mock is needed to check requests by Stripe's own document",
  otherwise: ', with Go,',
});
