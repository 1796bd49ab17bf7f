/** Suggests known words for a misspelt one. */

/** The nearest candidate within `allowed` typing errors, by default one per three letters; or undefined. */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  allowed = Math.floor(word.length / 3),
): string | undefined {
  const [best] = [...candidates]
    .filter(({ length }) => Math.abs(length - word.length) <= allowed)
    .map(candidate => ({
      candidate,
      distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= allowed)
    .toSorted((a, b) => a.distance - b.distance)
  return best?.candidate
}

/** `did you mean "x"?`, or the expected words if none is near. */
export function suggest(word: string, candidates: Iterable<string>): string {
  const all = [...candidates]
  const likely = nearest(word, all)
  if (likely !== undefined) return `did you mean "${likely}"?`
  return all.length === 0 ? 'expected none' : `expected one of ${all.join(', ')}`
}

/** Damerau distance: insertions, deletions, replacements and swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  let before: number[] = []
  let above: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    ;[before, above, row] = [above, row, [i]]
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        above[j]! + 1,
        row[j - 1]! + 1,
        above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwapped ? before[j - 2]! + 1 : Infinity,
      )
    }
  }
  return row[b.length]!
}
