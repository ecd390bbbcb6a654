/**
 * Groups the rows of several accounts by account number, and renders them. An account without rows is absent.
 */
export function groupByAccount<Row extends { readonly account_number: string }, T>(
  rows: readonly Row[],
  render: (row: Row) => T,
): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(row.account_number)
    if (group === undefined) groups.set(row.account_number, [render(row)])
    else group.push(render(row))
  }
  return groups
}
