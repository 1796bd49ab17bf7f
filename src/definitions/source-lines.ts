/** Maps positions in a statement and names of columns to lines of the definition's file. */
import type { Definition } from './definition.ts'
import type { MetricsMatter, ReportMatter } from './schemas.ts'
import { lineAt } from './sql/text-positions.ts'

/**
 * The line of the file for a position in the statement's text. For a total that the gateway added, it is the line of
 * that total in the front matter.
 * @param idType for which the text was compiled
 * @param position as PostgreSQL reports it: characters from 1
 */
export function lineOfPosition(
  { statement, source }: Pick<Definition, 'statement' | 'source'>,
  idType: string,
  position: number,
): number {
  const { at, line = source.firstLine } = statement.placeOf(idType, position)
  return at === undefined ? line : lineAt(source.text, at)
}

/** The line of a column, a fact or a metric; undefined if there is none of that name. */
export function lineOfName({ source }: Definition, name: string): number | undefined {
  const { columns, facts, metrics }: Partial<ReportMatter & MetricsMatter> = source.matter
  const sections = Object.entries({ columns, facts, metrics })
  const found = sections.find(([, named]) => Object.hasOwn(named ?? {}, name))
  return found && source.lineOf([found[0], name])
}
