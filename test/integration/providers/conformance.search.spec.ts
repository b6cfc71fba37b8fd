import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { acmeFixture } from '@payment-orchestrator/provider-kit/example/fixture';
import { conformance } from '@payment-orchestrator/provider-kit/testing';
import { FACTOR } from '../../support/fuzz/runs.js';
import { checkoutFixture } from '../../support/providers/checkout-fixture.js';
import { mollieFixture } from '../../support/providers/mollie-fixture.js';
import { paypalFixture } from '../../support/providers/paypal-fixture.js';
import { adyenFixture } from '../../support/providers/adyen-fixture.js';
import { sandboxFixture } from '../../support/providers/sandbox-fixture.js';
import { askingFixture, stripeFixture } from '../../support/providers/stripe-fixture.js';

const jest = { describe, it, beforeAll, afterAll };
/** `npm test` tries a part of the changed answers and events, `test:long` all. */
const changes = { changedPart: FACTOR === 1 ? 1 / 8 : 1 };

conformance(jest, 'the sandbox', sandboxFixture, changes);
conformance(jest, 'Stripe', stripeFixture, changes);
conformance(jest, 'Adyen', adyenFixture, changes);
conformance(jest, 'Mollie', mollieFixture, changes);
conformance(jest, 'Checkout.com', checkoutFixture, changes);
conformance(jest, 'PayPal', paypalFixture, changes);
// promises only what it must: nothing else is demanded
conformance(jest, 'a provider with few capabilities, which only asks', askingFixture, changes);
// the code that connectors outside of this repository begin with
conformance(jest, 'the example of the kit', acmeFixture, changes);
