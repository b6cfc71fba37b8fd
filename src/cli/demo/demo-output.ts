import type { ShopStats } from './demo-client.js';
import type { ReceivedWebhook } from './demo-receiver.js';

const startedAt = Date.now();

export function printTitle(title: string): void {
  console.log(`\n${title}`);
}

/** One line, with the seconds since the start. */
export function print(line: string): void {
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(2).padStart(6)}  ${line}`);
}

export function formatWebhook(webhook: ReceivedWebhook): string {
  if (webhook.event === null) return `  ← webhook  INVALID SIGNATURE, answered ${webhook.answeredWith}`;
  const { payment, shop, original_webhook } = webhook.event;
  const origin = original_webhook ? ', caused by the provider' : '';
  const attempt = webhook.attempt > 1 || webhook.answeredWith !== 200 ? `, attempt ${webhook.attempt}` : '';
  return `  ← webhook  payment ${payment.id} ${payment.status.padEnd(10)} ${shop.name}, signature ok${attempt}${origin}, answered ${webhook.answeredWith}`;
}

export function formatStats(stats: ShopStats): string[] {
  const { total_payments, payments_with_webhooks, webhook_coverage_percentage } = stats;
  return [
    `${stats.shop_name}: ${payments_with_webhooks} of ${total_payments} payments with webhooks (${webhook_coverage_percentage} %)`,
    ...stats.recent_webhooks.map(
      (webhook) =>
        `  payment ${webhook.payment_id} ${webhook.payment_status.padEnd(10)} ${webhook.status}, attempts: ${webhook.attempt_count}`,
    ),
  ];
}
