import { describeProvider } from '../../support/providers/conformance.js';
import { adyenFixture, sandboxFixture, stripeFixture } from '../../support/providers/provider-fixtures.js';

describeProvider('the sandbox', sandboxFixture, { buriesUnknown: true, batches: false });
describeProvider('Stripe', stripeFixture, { buriesUnknown: true, batches: false });
// a cancel by reference of what is not there comes to nothing
describeProvider('Adyen', adyenFixture, { buriesUnknown: false, batches: true });
