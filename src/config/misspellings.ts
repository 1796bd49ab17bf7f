/** Finds environment variables that look like a setting with a slip of the finger. */

const MAX_DISTANCE = 2
/** A short name is within two letters of too many others: HOME of HOST, APP_PORT of OPS_PORT. */
const SHORTEST = 10

/**
 * One warning for each name that is no setting but within two edits of one, where both begin with the
 * same word or are long.
 */
export function findMisspellings(names: readonly string[], settings: readonly string[]): string[] {
  const known = new Set(settings)
  return names.flatMap(name => {
    if (known.has(name)) return []
    const meant = settings.find(setting => isLikely(name, setting))
    return meant === undefined ? [] : [`${name} is not a setting: is ${meant} meant?`]
  })
}

function isLikely(name: string, setting: string): boolean {
  if (!setting.includes('_') || Math.abs(name.length - setting.length) > MAX_DISTANCE) return false
  const sameWord = name.split('_', 1)[0] === setting.split('_', 1)[0]
  if (!sameWord && setting.length < SHORTEST) return false
  return editDistance(name, setting) <= MAX_DISTANCE
}

/** Levenshtein: insertions, deletions and replacements of one letter. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const inserted = (current[column - 1] ?? 0) + 1
      const deleted = (previous[column] ?? 0) + 1
      current.push(Math.min(replaced, inserted, deleted))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
