import { PageLink } from '../../ui/page-link';
import { approvalRate, type Overview, sumOf, tilesOf, type TileState, totalOf } from './overview';

export function Tiles({ overview }: { overview: Overview }) {
  const day = sumOf(overview.approvals.shops);
  const approved: TileState = {
    title: 'Approval rate, last 24 hours',
    value: approvalRate(day),
    note: `of ${totalOf(day).toLocaleString('en')} attempts`,
    tone: 'neutral',
    to: '/approvals',
  };
  return (
    <ul className="tiles">
      {[approved, ...tilesOf(overview)].map((tile) => (
        <li key={tile.title}>
          <Tile {...tile} />
        </li>
      ))}
    </ul>
  );
}

/** The colour only repeats the text; a mark shows `warn` and `bad` as well. */
const Tile = ({ title, value, note, tone, to, search }: TileState) => (
  <PageLink to={to} search={search} className={`tile tile-${tone}`}>
    <span className="tile-title">{title}</span>
    <span className="tile-value">
      {value}
      {(tone === 'bad' || tone === 'warn') && (
        <span className="tile-mark" role="img" aria-label={tone === 'bad' ? 'needs attention' : 'delayed'}>
          {tone === 'bad' ? '!' : '…'}
        </span>
      )}
    </span>
    <span className="tile-note">{note}</span>
  </PageLink>
);
