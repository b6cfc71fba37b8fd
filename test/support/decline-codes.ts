import { readFileSync } from 'node:fs';

const PAGE = readFileSync(new URL('../../docs/integrate/providers.md', import.meta.url), 'utf8');

/** Whether a code is hard or soft, and our name for it. */
type Documented = Readonly<Record<string, readonly [kind: string, ours: string]>>;

/** The codes of a provider in the table of decline codes in docs/integrate/providers.md. */
export function documentedDeclines(provider: 'Stripe' | 'Adyen'): Documented {
  const [head, , ...rows] = PAGE.split('\n## Decline codes\n')[1]!
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const cellsOf = (row: string): string[] => row.split('|').map((cell) => cell.trim());
  const column = cellsOf(head!).indexOf(provider);
  return Object.fromEntries(
    rows.flatMap((row) => {
      const cells = cellsOf(row);
      const ours = cells[1]!.replaceAll('`', '');
      return [...cells[column]!.matchAll(/(\()?`(\w+)`/g)].map(([, soft, code]) => [
        code!,
        [soft ? 'soft' : 'hard', ours],
      ]);
    }),
  );
}
