/** Left-aligned columns two spaces apart; columns without any content are left out. */
export function formatTable(head: string[], rows: string[][]): string {
  const used = head.map((_, column) => column).filter((column) => rows.some((row) => row[column]));
  const lines = [head, ...rows].map((row) => used.map((column) => row[column] ?? ''));
  const widths = used.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
