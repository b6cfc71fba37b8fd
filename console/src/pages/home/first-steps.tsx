import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { useCan, useSession } from '../../api/session';
import { Badge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { PageLink } from '../../ui/page-link';
import { Code, CopyButton } from '../../ui/values';
import { commandsOf } from './first-commands';
import type { ShopApprovals } from './overview';

/** The first steps of a merchant that has had no payment. */
export function FirstSteps({ shops }: { shops: readonly ShopApprovals[] }) {
  const { client_id: clientId } = useSession();
  const { data: flows } = useQuery({
    queryKey: ['/flows', 'first'],
    queryFn: ({ signal }) => api.get('/flows', { params: { query: { limit: 1 } }, signal }),
    enabled: useCan('flows:read'),
  });
  const flow = flows?.data[0];
  const commands = commandsOf({ origin: location.origin, clientId, shopId: shops[0]?.shop_id, flowName: flow?.name });
  return (
    <>
      <p className="notice">There are no payments yet. Create the first one in three steps, here or with the API.</p>
      <Card title="Get a token for the commands" actions={<CopyButton text={commands.token} />}>
        <Code value={commands.token} />
        <p className="muted small">
          The token is valid for one hour. The secret of <code>{clientId}</code> was shown once, when the client was
          created.
        </p>
      </Card>
      <ol className="steps">
        <Step title="1. Create a shop" isDone={shops.length > 0} command={commands.shop}>
          A shop takes payments with an account at a payment provider. It has a secret that signs its webhooks.{' '}
          <PageLink to="/shops">Shops</PageLink>
        </Step>
        <Step title="2. Create a flow" isDone={flow !== undefined} command={commands.flow}>
          A flow chooses the shop for each payment. <PageLink to="/flows">Flows</PageLink>
        </Step>
        <Step title="3. Make a payment" isDone={false} command={commands.payment}>
          The built-in sandbox approves it. It then appears on this page and under{' '}
          <PageLink to="/payments">Payments</PageLink>.
        </Step>
      </ol>
    </>
  );
}

interface StepProps {
  title: string;
  isDone: boolean;
  command: string;
  children: ReactNode;
}

const Step = ({ title, isDone, command, children }: StepProps) => (
  <li>
    <Card
      title={title}
      actions={isDone ? <Badge tone="good">done</Badge> : <CopyButton text={command} label="Copy the command" />}
    >
      <p>{children}</p>
      {!isDone && <Code value={command} />}
    </Card>
  </li>
);
