import type { ProviderFactory } from '@payment-orchestrator/provider-kit';
import { StripeProvider } from './provider.js';

export { StripeProvider };

const connector: ProviderFactory = (context) => new StripeProvider(context);
export default connector;
