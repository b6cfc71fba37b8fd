import type { Schema } from '@payment-orchestrator/client';
import { Badge, type Tone } from '../../ui/badge';
import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { PageLink } from '../../ui/page-link';
import { percentText } from '../../ui/percent';
import { Facts, Time } from '../../ui/values';
import { HealthChart } from './health-chart';
import { totalOf } from './minute-bars';

type Stats = Schema<'ShopReport'>;
type Health = Schema<'ShopHealth'>;

const TONES: Record<Health['status'], Tone> = {
  healthy: 'good',
  unhealthy: 'bad',
  probing: 'warn',
  unavailable: 'bad',
};

export const HealthBadge = ({ status }: Pick<Health, 'status'>) => <Badge tone={TONES[status]}>{status}</Badge>;

/** The shop's health for routing, and the outcomes that it is computed from. */
export function HealthCard({ stats, enabled }: { stats: Stats; enabled: boolean }) {
  const { last_hour: hour, health_rule: rule } = stats;
  return (
    <Card title="Health">
      <p>{enabled ? <Consequence stats={stats} /> : 'Disabled: it takes no new payments, regardless of its health.'}</p>
      {totalOf(hour) > 0 ? (
        <>
          <HealthChart minutes={stats.minutes} windowMinutes={rule.window_minutes} />
          <MinutesTable minutes={stats.minutes} />
          <OutcomeFacts stats={stats} />
        </>
      ) : (
        <p className="muted">No outcomes in the last hour.</p>
      )}
      <p className="small muted">
        Flows skip a shop for {rule.cool_down_seconds} seconds if at least {percentText(rule.fault_share)} of its
        outcomes within {rule.window_minutes} minutes are failures of the shop or its provider. This needs at least{' '}
        {rule.min_outcomes} outcomes. Declines by the payer’s card count in the{' '}
        <PageLink to="/approvals">approval rate</PageLink>, but not here.
      </p>
    </Card>
  );
}

function Consequence({ stats: { health, unhealthy_until: until } }: { stats: Stats }) {
  if (health.status === 'unavailable') return 'Its provider is not loaded. Flows skip it.';
  if (health.status === 'unhealthy') {
    return (
      <>
        Unhealthy since <Time value={health.since} />: too many payments failed because of the shop or its provider.
        Flows skip it until <Time value={until} />.
      </>
    );
  }
  if (health.status === 'probing') {
    return (
      <>
        Recovering since <Time value={health.since} />. Flows send it a few payments until one succeeds.
      </>
    );
  }
  return health.since === null ? (
    'Flows send it payments.'
  ) : (
    <>
      Flows send it payments. It recovered at <Time value={health.since} />.
    </>
  );
}

function OutcomeFacts({ stats: { health, last_hour: hour, health_rule: rule } }: { stats: Stats }) {
  const { window } = health;
  return (
    <Facts
      facts={[
        [
          'Routing rate, last hour',
          hour.routing_rate === null ? null : `${percentText(hour.routing_rate)}: ${counts(hour)}`,
        ],
        [`Last ${rule.window_minutes} minutes`, counts(window)],
      ]}
    />
  );
}

const counts = ({ approved, declined, failed }: Schema<'ShopOutcomes'>): string =>
  `${approved} approved, ${declined} declined, ${failed} failed`;

/** The chart as a table, for screen readers. */
function MinutesTable({ minutes }: Pick<Stats, 'minutes'>) {
  const counted = minutes.filter((minute) => totalOf(minute) > 0).reverse();
  return (
    <details>
      <summary className="small">As a table</summary>
      <DataTable
        caption="Outcomes per minute, newest first"
        rows={counted}
        rowKey={({ at }) => at}
        columns={[
          { title: 'Minute', cell: ({ at }) => <Time value={at} /> },
          { title: 'Approved', cell: ({ approved }) => approved, isNumber: true },
          { title: 'Declined', cell: ({ declined }) => declined, isNumber: true },
          { title: 'Failed', cell: ({ failed }) => failed, isNumber: true },
        ]}
      />
    </details>
  );
}
