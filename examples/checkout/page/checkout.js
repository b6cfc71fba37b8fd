import { createAdyen } from './adyen.js';
import { createCardField } from './cards.js';
import { createStripe } from './stripe.js';

const POLL_MS = 500;
const element = (id) => document.getElementById(id);

const settings = await call('/settings');
const field = createCardField(element('cards'));
const stripe = createStripe(settings.stripe, field);
const adyen = createAdyen(settings.adyen, field);
/** Carries out the payer's step with the script of the provider. */
const scripts = { stripe: stripe.handleNextAction, adyen: adyen.handleAction };

element('checkout').addEventListener('submit', (event) => {
  event.preventDefault();
  void show(pay);
});
/** The order that is not paid yet. It is in the address, so that a new load of the page continues it. */
let current = new URLSearchParams(location.search).get('order');
if (current) void show(() => follow(current));

/** Both providers get the payment method, so that either can take the payment. */
async function pay() {
  const [token, data] = await Promise.all([stripe.createPaymentMethod(), adyen.collect()]);
  current ??= await createOrder();
  return finish(await call(`/orders/${current}/payment`, { stripe: token, adyen: data }));
}

async function createOrder() {
  const { order } = await call('/orders', {});
  history.replaceState(null, '', `/?order=${order}`);
  return order;
}

/** Does the payer's steps until the payment needs none. */
async function finish(state) {
  render(state);
  const { order, nextAction } = state;
  if (nextAction?.type === 'redirect') return location.assign(nextAction.url);
  if (nextAction?.type !== 'provider_action') return follow(order);
  const data = await scripts[nextAction.provider](nextAction.data);
  return finish(await call(`/orders/${order}/next-action`, { data }));
}

/** Waits for the outcome, and for the webhooks that report it and the end of the order's earlier payments. */
async function follow(order) {
  for (;;) {
    const [state, webhooks] = await Promise.all([call(`/orders/${order}`), call(`/orders/${order}/webhooks`)]);
    render(state, webhooks);
    if (state.nextAction) return; // the payer left the bank's page; `Pay` begins again
    if (state.status === 'completed') current = null;
    const isReported = (payment) => webhooks.some((each) => each.payment === payment && !isOpen(each));
    if (!isOpen(state) && [state.payment, ...webhooks.map(({ payment }) => payment)].every(isReported)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const isOpen = ({ status }) => status === 'pending' || status === 'processing';

function render({ status, tries, nextAction }, webhooks = []) {
  const account = tries.at(-1)?.account;
  const texts = { completed: `Paid by ${account}.`, failed: 'The payment failed. Nothing was charged.' };
  const waiting = nextAction ? 'Your bank asks you to approve the payment.' : 'The payment is under way.';
  element('result').textContent = texts[status] ?? (isOpen({ status }) ? waiting : `The payment is ${status}.`);
  list(
    'tries',
    tries,
    (each) => `${each.account}: ${each.outcome ?? 'under way'}${each.reason ? `, ${each.reason}` : ''}`,
  );
  list('webhooks', webhooks, (each) => `payment ${each.payment} ${each.status}, ${each.shop}`);
}

function list(id, items, textOf) {
  const lines = items.map((item) => Object.assign(document.createElement('li'), { textContent: textOf(item) }));
  element(id).replaceChildren(...lines);
}

/** Runs `work` with the button disabled, and shows its error. */
async function show(work) {
  element('pay').disabled = true;
  try {
    await work();
  } catch (error) {
    element('result').textContent = error.message;
  } finally {
    element('pay').disabled = false;
  }
}

/** Calls the backend; with a body it is a POST. */
async function call(path, body) {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, body && options);
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.message);
  return result;
}
