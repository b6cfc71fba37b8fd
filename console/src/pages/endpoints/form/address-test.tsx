import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../api/client';
import { useShops } from '../../../api/use-shops';
import { Button } from '../../../ui/button';
import { ProblemNotice } from '../../../ui/problem-notice';
import { TestResult } from '../test-result';
import type { EndpointValues } from './endpoint-values';

interface Props {
  values: EndpointValues;
}

/** Sends a sample to the typed address. The endpoint is not stored yet, so a shop's secret signs it. */
export function AddressTest({ values: { url, shopIds, isForAllShops } }: Props) {
  const shops = useShops();
  const shop = (isForAllShops ? undefined : shops.get(shopIds[0] ?? 0)) ?? [...shops.values()][0];
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (shopId: number) =>
      (
        await api.post('/webhooks/shop/{shopId}/test', {
          params: { path: { shopId } },
          body: { webhook_endpoint: url.trim() },
        })
      ).data,
  });
  // a result is about the address that it was sent to
  useEffect(reset, [reset, url]);
  if (!shop) return <p className="field-hint">A test can be sent when the endpoint exists.</p>;
  return (
    <>
      <div className="row">
        <Button isBusy={isPending} disabled={url.trim() === ''} onClick={() => mutate(shop.id)}>
          Send a test
        </Button>
        <span className="small muted">
          Sent at once, signed as shop <bdi>{shop.name}</bdi>, without the headers and authentication below.
        </span>
      </div>
      <ProblemNotice error={error} />
      <div role="status">{data && <TestResult result={data} />}</div>
    </>
  );
}
