import { ActionDataRefused, type PayerPage, type PayerPages } from '@payment-orchestrator/provider-kit';
import type { SandboxBooks } from './books.js';
import { type Choice, CHOICES } from './ledger.js';
import type { SandboxTransaction } from './transactions.queries.js';

const UUID = /^[0-9a-f-]{36}$/;

/** The pages to which `next_action` sends a payer's browser. Each names its transaction by an unguessable id. */
export function payerPages({ ledger, notifier }: Pick<SandboxBooks, 'ledger' | 'notifier'>): PayerPages {
  const find = async (id: string): Promise<SandboxTransaction | undefined> =>
    UUID.test(id) ? ledger.findByPage(id) : undefined;
  const show = async (id: string): Promise<PayerPage | undefined> => {
    const found = await find(id);
    return found && { html: renderPage(found), policy: pagePolicy(found) };
  };
  return {
    show,
    /** Sends the notification first, so that a payer who returns to the merchant finds the payment with its outcome. */
    async submit(id, { outcome }) {
      const choice = choiceOf(outcome);
      const found = await find(id);
      if (!found) return undefined;
      if (await ledger.choose(id, choice)) await notifier.sendNow(found.reference);
      return found.return_url === null ? show(id) : { location: new URL(found.return_url).href };
    },
  };
}

function choiceOf(outcome: unknown): Choice {
  if (typeof outcome === 'string' && Object.hasOwn(CHOICES, outcome)) return outcome as Choice;
  const message = `must be one of the following values: ${Object.keys(CHOICES).join(', ')}`;
  throw new ActionDataRefused([{ field: 'outcome', message }]);
}

/**
 * The content security policy of the payer's page. Its form posts to its own address; browsers check the redirect after
 * it against `form-action`, too.
 */
const pagePolicy = ({ return_url: returnUrl }: SandboxTransaction): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    `form-action 'self'${returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`}`,
    "frame-ancestors 'none'",
  ].join('; ');

const STYLE =
  'body{font:16px/1.5 system-ui;max-width:28em;margin:4em auto;padding:0 1em}button{font:inherit;padding:.4em 1em;margin-right:1em}';

function renderPage(transaction: SandboxTransaction): string {
  const { status, amount, currency, transaction_id: id } = transaction;
  const body = status === 'open' ? FORM : `<p>Status of this payment: ${status}.</p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sandbox payment</title>
<style>${STYLE}</style>
<h1>Sandbox</h1>
<p>Pay ${escaped(amount)} ${escaped(currency)}? No money moves.</p>
${body}
<p><small>${escaped(id)}</small></p>
</html>
`;
}

const FORM = `<form method="post">
<button name="outcome" value="approve">Approve</button>
<button name="outcome" value="decline">Decline</button>
</form>`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
