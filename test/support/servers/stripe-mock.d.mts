export const STRIPE_MOCK_MODULE: string;
/** The path of an installed stripe-mock; throws an error that says how to install one. */
export function installedStripeMock(): string;
/** The path of a stripe-mock, built from source if none is installed; throws like `installedStripeMock` without Go. */
export function ensureStripeMockInstalled(): string;
