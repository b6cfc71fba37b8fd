import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type ShopAnswer } from '../../support/app/merchant.js';

export interface Checkout {
  /** To be stopped afterwards. */
  api: TestApi;
  merchant: Merchant;
  shops: ShopAnswer[];
  flow: { id: number };
}

/** The API with these settings, and a merchant with shops of these names and the flow `checkout` over them. */
export async function startCheckout(env: Record<string, string> = {}, names = ['A']): Promise<Checkout> {
  const api = await startApi(env);
  const merchant = new Merchant(await api.login());
  const shops: ShopAnswer[] = [];
  for (const name of names) shops.push(await merchant.createShop(name));
  const ids = shops.map(({ id }) => id);
  return { api, merchant, shops, flow: await merchant.createFlow('checkout', ids) };
}
