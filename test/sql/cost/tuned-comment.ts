/** Formats a definition's cost as the comment that begins with `Tuned`. */
import type { Plan } from '../../../src/author/plans/plan.ts'

export interface Costs {
  readonly median: Plan
  readonly large: Plan
}

function duration(ms: number): string {
  return `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`
}

function thousands(count: number): string {
  return count.toLocaleString('en-US')
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Lines as long as those of the definitions. */
function comment(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length > 113) lines.push(`-- ${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}

/** As in a definition, below the front matter. */
export function tunedComment(
  date: string,
  withIndexes: Costs,
  without: Costs,
  indexes: readonly string[],
): string {
  const used = indexes.filter(name =>
    [withIndexes.median, withIndexes.large].some(({ nodes }) =>
      nodes.some(({ index }) => index === name),
    ),
  )
  const cost = ({ ms, buffers }: Plan, unit: string) =>
    `${duration(ms)} and ${thousands(buffers)}${unit}`
  const now = `Tuned ${date}, over this year: ${cost(withIndexes.median, ' buffers')} for the median demo organization, ${cost(withIndexes.large, '')} for the large one`
  if (used.length === 0) return comment(`${now}; no index but the product's own.`)
  return comment(
    `${now}, with ${listed(used)}; without: ${cost(without.median, '')}, ${cost(without.large, '')}.`,
  )
}
