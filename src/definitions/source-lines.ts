/** Maps positions in a statement and names of columns to lines of the definition's file. */
import type { Definition } from './definition.ts'
import type { MatterPath } from './front-matter.ts'
import { lineAt, positionsIn } from './sql/text-positions.ts'

/**
 * The line of the file for a position in the statement's text. For a total that the gateway added, it is the line of
 * that total in the front matter.
 * @param idType for which the text was compiled
 * @param position as PostgreSQL reports it: characters from 1
 */
export function lineOfPosition(
  { statement, source }: Definition,
  idType: string,
  position: number,
): number {
  const whole = statement.text(idType)
  const written = source.statement.text(idType)
  const start = whole.indexOf(written)
  const at = positionsIn(whole).ofCharacter(position - 1)
  const end = start + written.length
  if (at > end) return lineOfTotal(source, whole.slice(at))
  // why: placeholders and parameters contain no line breaks, so both texts have the same lines
  return source.firstLine + lineAt(written, Math.max(at - start, 0)) - 1
}

/** The line of a column, a fact or a metric; undefined if there is none of that name. */
export function lineOfName({ source }: Definition, name: string): number | undefined {
  const path = pathOf(source, name)
  return path && source.lineOf(path)
}

/** @param rest of the text from the position: each total as `<total> as "name"`, then the names alone */
function lineOfTotal(source: Definition['source'], rest: string): number {
  const [, name = ''] = / as "(\w+)"/.exec(rest) ?? /^"(\w+)"/.exec(rest) ?? []
  const path = pathOf(source, name)
  return path === undefined ? source.firstLine : source.lineOf([...path, 'total'])
}

function pathOf({ matter }: Definition['source'], name: string): MatterPath | undefined {
  const sections = Object.entries(
    'metrics' in matter
      ? { metrics: matter.metrics }
      : { columns: matter.columns, facts: matter.facts ?? {} },
  )
  const found = sections.find(([, named]) => Object.hasOwn(named, name))
  return found && [found[0], name]
}
