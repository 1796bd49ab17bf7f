/** How a definition's cost is put into a line of a table and into the comment that begins with `Tuned`. */
import type { Plan } from '../../../src/plans/plan.ts'

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

/** As it stands in a definition, under its front matter. */
export function tunedComment(
  date: string,
  own: Costs,
  without: Costs,
  indexes: readonly string[],
): string {
  const used = indexes.filter(name =>
    [own.median, own.large].some(({ nodes }) => nodes.some(({ index }) => index === name)),
  )
  const cost = ({ ms, buffers }: Plan, unit: string) =>
    `${duration(ms)} and ${thousands(buffers)}${unit}`
  const now = `Tuned ${date}, over this year: ${cost(own.median, ' buffers')} for the median demo organization, ${cost(own.large, '')} for the large one`
  if (used.length === 0) return comment(`${now}; no index but the product's own.`)
  return comment(
    `${now}, with ${listed(used)}; without: ${cost(without.median, '')}, ${cost(without.large, '')}.`,
  )
}

function notes(what: string, { spilledBlocks, nodes }: Plan, big: ReadonlySet<string>): string[] {
  const read = nodes.filter(({ type, table }) => type === 'Seq Scan' && big.has(table ?? ''))
  return [
    ...(spilledBlocks > 0 ? [`${what} spills ${thousands(spilledBlocks)} blocks`] : []),
    ...new Set(read.map(({ table }) => `${what} reads all of ${table}`)),
  ]
}

/** Time and buffers four times, and what an author should look at. */
export function lineOf(name: string, own: Costs, without: Costs, big: ReadonlySet<string>): string {
  const cells = [own.median, own.large, without.median, without.large].map(
    ({ ms, buffers }) => duration(ms).padStart(9) + thousands(buffers).padStart(8),
  )
  const said = [...notes('median', own.median, big), ...notes('large', own.large, big)]
  return `${name.padEnd(24)}${cells.join('')}  ${said.join(', ')}`.trimEnd()
}

const TITLES = ['median', 'large', 'median without', 'large without']
export const HEAD = 'definition'.padEnd(24) + TITLES.map(title => title.padStart(17)).join('')
