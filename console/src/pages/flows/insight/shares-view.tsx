import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../../ui/percent';
import { pointsOf } from './texts';

/** Each shop's share of payments: the upper bar before, the lower bar with the draft. */
export const SharesView = ({ shops }: { shops: readonly Schema<'ReplayedShop'>[] }) => (
  <div className="shares">
    <table>
      <caption>Shares of payments, before and after</caption>
      <thead>
        <tr>
          <th scope="col">Shop</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
          <th scope="col">
            <abbr title="Difference in percentage points">±</abbr>
          </th>
        </tr>
      </thead>
      <tbody>
        {shops.map(({ shop_id, shop_name, before, after }) => (
          <tr key={shop_id}>
            <th scope="row">
              <bdi className="truncate" title={shop_name}>
                {shop_name}
              </bdi>
              <span className="share-bars" aria-hidden="true">
                <span className="share-bar share-before" style={{ width: `${before.share * 100}%` }} />
                <span className="share-bar share-after" style={{ width: `${after.share * 100}%` }} />
              </span>
            </th>
            <td className="number">{percentText(before.share)}</td>
            <td className="number">{percentText(after.share)}</td>
            <td className="number muted">{pointsOf(after.share - before.share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="legend small muted" aria-hidden="true">
      <span className="share-mark share-before" /> before <span className="share-mark share-after" /> after
    </p>
  </div>
);
