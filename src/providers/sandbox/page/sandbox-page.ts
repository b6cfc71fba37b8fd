import type { SandboxTransaction } from '../sandbox-transactions.queries.js';

/**
 * The content security policy of the payer's page. Its form posts to its own address; browsers check the redirect after
 * it against `form-action`, too.
 */
export const pagePolicy = ({ return_url: returnUrl }: SandboxTransaction): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    `form-action 'self'${returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`}`,
    "frame-ancestors 'none'",
  ].join('; ');

const STYLE =
  'body{font:16px/1.5 system-ui;max-width:28em;margin:4em auto;padding:0 1em}button{font:inherit;padding:.4em 1em;margin-right:1em}';

export function renderPage(transaction: SandboxTransaction): string {
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
