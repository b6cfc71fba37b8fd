import type { Schema } from '@payment-orchestrator/client';
import { Badge, type Tone } from '../../ui/badge';
import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { Time } from '../../ui/values';

type Decline = Schema<'DeclineCode'>;

/** Declines that the shop causes are bad: they can be fixed here or at the provider. */
const TONES: Record<Decline['party'], Tone> = {
  shop: 'bad',
  configuration: 'bad',
  issuer: 'neutral',
  payer: 'neutral',
};
const MEANINGS: Record<Decline['party'], string> = {
  payer: 'the payer’s card or account',
  shop: 'the shop or its provider',
  configuration: 'the shop’s configuration: its account lacks the payment method',
  issuer: 'the issuer’s decision',
};

/** The decline codes of charges, the most frequent first. */
export function DeclinesCard({ declines: { codes, since } }: { declines: Schema<'ShopDeclines'> }) {
  const most = Math.max(1, ...codes.map(({ last_week: count }) => count));
  return (
    <Card title="Decline codes" isFlush={codes.length > 0}>
      {codes.length === 0 ? (
        <p className="muted">
          No charge has been declined since <Time value={since} />.
        </p>
      ) : (
        <>
          <DataTable
            caption="Declines by code, most frequent first"
            rows={codes}
            rowKey={({ code }) => code}
            columns={[
              {
                title: 'Code',
                cell: ({ code, last_week: count }) => (
                  <>
                    <code>{code}</code>
                    <span
                      className="decline-bar"
                      style={{ inlineSize: `${(100 * count) / most}%` }}
                      aria-hidden="true"
                    />
                  </>
                ),
              },
              {
                title: 'Cause',
                cell: ({ party }) => (
                  <span title={MEANINGS[party]}>
                    <Badge tone={TONES[party]}>{party}</Badge>
                  </span>
                ),
              },
              { title: '24 hours', cell: ({ last_day: count }) => count, isNumber: true },
              { title: '7 days', cell: ({ last_week: count }) => count, isNumber: true },
            ]}
          />
          <p className="small muted card-foot">
            Every declined attempt counts, even if another shop accepted the payment. Counted since{' '}
            <Time value={since} />.
          </p>
        </>
      )}
    </Card>
  );
}
