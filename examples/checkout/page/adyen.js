// Stands for Adyen's Components (https://docs.adyen.com/online-payments/build-your-integration). Replace it by the Card
// Component: `state.data` of `onSubmit`, and `handleAction` with `onAdditionalDetails`.
import { askPayer } from './issuer.js';

export function createAdyen({ url }, field) {
  async function call(path, body) {
    const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`Adyen answered ${answer.status}`);
    return answer.json();
  }

  async function paymentMethod() {
    const { card, type } = field.selected();
    if (!card) return { type };
    const encrypted = await call('/components/encrypt', {
      encryptedCardNumber: card.number,
      encryptedExpiryMonth: card.month,
      encryptedExpiryYear: card.year,
      encryptedSecurityCode: card.code,
    });
    return { type: 'scheme', holderName: card.holder, ...encrypted };
  }

  return {
    /** Like `state.data`: the encrypted payment method, and the browser for 3-D Secure. */
    async collect() {
      return { paymentMethod: await paymentMethod(), browserInfo: browserInfo(), origin: location.origin };
    },

    /** Like `handleAction`. Returns what `onAdditionalDetails` gets; a fingerprint does not need the payer. */
    async handleAction(action) {
      const outcome = action.subtype === 'fingerprint' ? 'approve' : await askPayer();
      return (await call('/components/handle-action', { action, outcome, each: true })).data;
    },
  };
}

const browserInfo = () => ({
  acceptHeader: '*/*',
  colorDepth: screen.colorDepth,
  javaEnabled: false,
  language: navigator.language,
  screenHeight: screen.height,
  screenWidth: screen.width,
  timeZoneOffset: new Date().getTimezoneOffset(),
  userAgent: navigator.userAgent,
});
