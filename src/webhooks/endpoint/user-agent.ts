/** The header `User-Agent` of requests to receivers and to their token endpoints. */
export const USER_AGENT = 'payment-orchestrator-webhooks/1.0';
