import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { acmeFixture } from '@payment-orchestrator/provider-kit/example/fixture';
import { conformance } from '@payment-orchestrator/provider-kit/testing';
import { checkoutFixture } from '../../support/providers/checkout-fixture.js';
import { mollieFixture } from '../../support/providers/mollie-fixture.js';
import { paypalFixture } from '../../support/providers/paypal-fixture.js';
import { adyenFixture } from '../../support/providers/adyen-fixture.js';
import { sandboxFixture } from '../../support/providers/sandbox-fixture.js';
import { askingFixture, stripeFixture } from '../../support/providers/stripe-fixture.js';

const jest = { describe, it, beforeAll, afterAll };

conformance(jest, 'the sandbox', sandboxFixture);
conformance(jest, 'Stripe', stripeFixture);
conformance(jest, 'Adyen', adyenFixture);
conformance(jest, 'Mollie', mollieFixture);
conformance(jest, 'Checkout.com', checkoutFixture);
conformance(jest, 'PayPal', paypalFixture);
// promises only what it must: nothing else is demanded
conformance(jest, 'a provider with few capabilities, which only asks', askingFixture);
// the code that connectors outside of this repository begin with
conformance(jest, 'the example of the kit', acmeFixture);
