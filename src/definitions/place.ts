/** Where in a definition's file something lies that was said of its statement. Knows the text, not who speaks. */
import type { Definition } from './definition.ts'

/**
 * The line of the file that a position in the statement's text is about; of a total that the gateway put
 * around it, the line of that total in the front matter.
 * @param idType that the text was made for
 * @param position as PostgreSQL gives it: characters from 1
 */
export function lineOfPosition(
  { statement, source }: Definition,
  idType: string,
  position: number,
): number {
  const whole = statement.text(idType)
  const written = source.statement.text(idType)
  const start = whole.indexOf(written)
  const at = offsetOf(whole, position)
  const end = start + written.length
  if (at > end) return lineOfTotal(source, whole.slice(end), at - end)
  // why: a placeholder and what stands for it have no end of line, so lines are counted alike in both
  return source.firstLine + whole.slice(start, Math.max(at, start)).split('\n').length - 1
}

/** The line of a column, a fact or a metric by its name; undefined where there is none such. */
export function lineOfName({ source }: Definition, name: string): number | undefined {
  for (const [section, names] of sectionsOf(source)) {
    if (names.includes(name)) return source.lineOf([section, name])
  }
  return undefined
}

/** PostgreSQL counts characters, of which JavaScript counts some as two. */
function offsetOf(text: string, position: number): number {
  return Array.from(text)
    .slice(0, position - 1)
    .join('').length
}

/**
 * @param around what stands behind the statement: each total as `<total> as "name"`, then all names alone
 * @param at offset in it
 */
function lineOfTotal(source: Definition['source'], around: string, at: number): number {
  const [, alone] = /^"([^"]+)"/.exec(around.slice(at)) ?? []
  const ahead = sectionsOf(source).flatMap(([section, names]) =>
    names.map(name => ({ section, name, end: around.indexOf(` as "${name}"`, at) })),
  )
  const [nearest] = ahead.filter(({ end }) => end >= 0).toSorted((a, b) => a.end - b.end)
  if (nearest !== undefined) return source.lineOf([nearest.section, nearest.name, 'total'])
  return alone === undefined ? source.firstLine : source.lineOf(['columns', alone, 'total'])
}

function sectionsOf({ matter }: Definition['source']): Array<[string, string[]]> {
  if ('metrics' in matter) return [['metrics', Object.keys(matter.metrics)]]
  return [
    ['columns', Object.keys(matter.columns)],
    ['facts', Object.keys(matter.facts ?? {})],
  ]
}
