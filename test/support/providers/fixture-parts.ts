import type { IncomingNotification, SignedRequest } from '@payment-orchestrator/provider-kit';
import type { Held } from '@payment-orchestrator/provider-kit/testing';

/** A notification as our route hands it to the adapter. */
export const received = (signed: SignedRequest): IncomingNotification => ({ ...signed, shopId: 1, query: {} });

export const RETURN_URL = 'https://shop.example/back';
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, EUR: 2, KWD: 3 };

/** A transaction of a fake that counts minor units. */
interface MinorTransaction {
  reference: string | undefined;
  status: Held['status'];
  amount: number;
  captured: number;
  refunded: number;
  currency: string;
}

function inUnits({ status, amount, captured, refunded, currency }: MinorTransaction): Held {
  const code = currency.toUpperCase();
  const units = (minor: number) => String(minor / 10 ** DIGITS[code]!);
  return { status, amount: units(amount), captured: units(captured), refunded: units(refunded), currency: code };
}

/** The `held` of a fixture, by the books of an account. */
export const heldIn =
  (account: { transactions(): MinorTransaction[] }) =>
  (reference: string): Promise<Held[]> =>
    Promise.resolve(
      account
        .transactions()
        .filter((one) => one.reference === reference)
        .map(inUnits),
    );
