interface ProviderLink {
  label: string;
  href: string;
}

/** Addresses in the dashboard of each provider. An id does not tell whether its account is live. */
const DASHBOARDS: ReadonlyMap<string, (id: string) => ProviderLink[]> = new Map([
  [
    'stripe',
    (id: string) => [
      { label: 'Stripe dashboard', href: `https://dashboard.stripe.com/disputes/${id}` },
      { label: 'test mode', href: `https://dashboard.stripe.com/test/disputes/${id}` },
    ],
  ],
  [
    'adyen',
    // the Customer Area has no lasting address of a dispute: its search finds the id
    () => [
      { label: 'Adyen Customer Area', href: 'https://ca-live.adyen.com/' },
      { label: 'test', href: 'https://ca-test.adyen.com/' },
    ],
  ],
  // nor have these dashboards
  [
    'checkout',
    () => [
      { label: 'Checkout.com dashboard', href: 'https://dashboard.checkout.com/' },
      { label: 'sandbox', href: 'https://dashboard.sandbox.checkout.com/' },
    ],
  ],
  ['mollie', () => [{ label: 'Mollie dashboard', href: 'https://my.mollie.com/dashboard/' }]],
  [
    'paypal',
    (id: string) => [
      { label: 'PayPal Resolution Center', href: `https://www.paypal.com/resolutioncenter/view/${id}` },
      { label: 'sandbox', href: `https://www.sandbox.paypal.com/resolutioncenter/view/${id}` },
    ],
  ],
]);

/** Pages where evidence of the dispute is submitted; none if the provider has no known dashboard. */
export const dashboardsOf = (provider: string, disputeId: string): ProviderLink[] =>
  DASHBOARDS.get(provider)?.(encodeURIComponent(disputeId)) ?? [];
