/** The likely spelling of a word that does not exist. */

/** The candidate that is a slip or two away from the word, or undefined. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  // Of a word of one or two letters anything is a slip away.
  const allowed = word.length < 3 ? 0 : Math.floor(word.length / 3)
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = distanceOf(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= allowed && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance }
    }
  }
  return best?.candidate
}

/** `, did you mean "x"?` or what was expected otherwise. */
export function suggest(word: string, candidates: Iterable<string>): string {
  const all = [...candidates]
  const likely = nearest(word, all)
  if (likely !== undefined) return `did you mean "${likely}"?`
  return all.length === 0 ? 'expected none' : `expected one of ${all.join(', ')}`
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(
        cell(i - 1, j) + 1,
        cell(i, j - 1) + 1,
        cell(i - 1, j - 1) + (same ? 0 : 1),
      )
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, cell(i - 2, j - 2) + 1)
      row.push(cost)
    }
  }
  return cell(a.length, b.length)
}
