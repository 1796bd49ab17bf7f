/** A table of test cases: a line for each, with `|` between its cells. */
export function casesOf(table: string): readonly string[][] {
  const lines = table.trim().split('\n')
  return lines.map(line => line.split(' | ').map(cell => cell.trim()))
}
