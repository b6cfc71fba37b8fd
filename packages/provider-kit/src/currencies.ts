// The currencies of ISO 4217, from the one list that routing checks amounts with.
export { CURRENCIES, currencyDigits } from '@payment-orchestrator/routing/facts/currencies';
