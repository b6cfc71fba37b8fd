import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useCan } from '../../api/session';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { PageLoading } from '../../ui/loading';
import { WithScope } from '../../ui/with-scope';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { useDialog } from '../../ui/use-dialog';
import { CredentialsCard } from './credentials-card';
import { DeclinesCard } from './declines-card';
import { EditShopDialog } from './edit-shop-dialog';
import { FeesCard } from './fees-card';
import { HealthBadge, HealthCard } from './health-card';
import { NotificationsCard } from './notifications-card';
import { shopQuery, shopStatsQuery } from './shop-queries';
import { SigningCard } from './signing-card';
import { ShopWarnings } from './shop-warnings';
import { WebhookStatsCard } from './webhook-stats-card';
import './shops.css';

export function ShopPage() {
  const { shopId } = useParams({ strict: false });
  return (
    <WithScope scope="shops:read" title="Shop">
      <LoadedShop key={shopId} shopId={Number(shopId)} />
    </WithScope>
  );
}

function LoadedShop({ shopId }: { shopId: number }) {
  const { data: shop, error, refetch } = useQuery(shopQuery(shopId));
  if (shop) return <Shop shop={shop} error={error} />;
  return (
    <Page title="Shop">
      {error ? <ProblemNotice error={error} retry={() => void refetch()} /> : <PageLoading />}
      {error ? <Link to="/shops">All shops</Link> : null}
    </Page>
  );
}

function Shop({ shop, error }: { shop: Schema<'ShopWithHealth'>; error: unknown }) {
  const editing = useDialog();
  const mayWrite = useCan('shops:write');
  const heading = (
    <span className="row">
      <bdi>{shop.name}</bdi>
      <HealthBadge status={shop.health.status} />
      {!shop.enabled && <Badge tone="neutral">disabled</Badge>}
    </span>
  );
  const description = (
    <>
      <Link to="/shops">Shops</Link> · shop <code>{shop.id}</code> at <code>{shop.provider}</code>, account{' '}
      <code>{shop.provider_account}</code>
    </>
  );
  const edit = <Button onClick={() => editing.open()}>Edit</Button>;
  return (
    <Page title={shop.name} heading={heading} description={description} actions={mayWrite ? edit : undefined}>
      <ProblemNotice error={error} />
      <ShopCards shop={shop} />
      {editing.isOpen && <EditShopDialog shop={shop} onClose={editing.close} />}
    </Page>
  );
}

function ShopCards({ shop }: { shop: Schema<'ShopWithHealth'> }) {
  const { data: stats, error, refetch } = useQuery(shopStatsQuery(shop.id));
  const missing = error ? <ProblemNotice error={error} retry={() => void refetch()} /> : <PageLoading />;
  return (
    <>
      <ShopWarnings shop={shop} />
      <div className="columns">
        <div className="shop-column">
          {stats ? <HealthCard stats={stats} enabled={shop.enabled} /> : missing}
          <CredentialsCard shop={shop} />
          <FeesCard shop={shop} />
          <NotificationsCard shop={shop} />
        </div>
        <div className="shop-column">
          {stats && <DeclinesCard declines={stats.declines} />}
          <SigningCard shop={shop} />
          <WebhookStatsCard shopId={shop.id} />
        </div>
      </div>
    </>
  );
}
