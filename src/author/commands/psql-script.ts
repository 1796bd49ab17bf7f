/** A definition as a psql script: the SQL that the gateway sends, with psql variables for placeholders. */
import { escapeLiteral } from 'pg'
import { addDays } from '../../definitions/calendar.ts'
import type { Bindings, Definition } from '../../definitions/definition.ts'
import { placeholderIn, textOf, type SqlPiece } from '../../definitions/sql/sql-pieces.ts'
import { compileStatement } from '../../definitions/statement.ts'

/**
 * The statement is without totals that the gateway adds.
 * @param idType the PostgreSQL type of an organization's id
 * @param settings of the session, by name
 */
export function psqlScript(
  { name, source, parameters }: Definition,
  bindings: Bindings,
  idType: string,
  settings: Readonly<Record<string, string>>,
): string {
  const { organizationId, period } = bindings
  const { text, sqlStart, start, end, statement } = source
  const used = new Map(statement.pieces.map(piece => [placeholderIn(piece), piece]))
  used.delete(undefined)
  const literalOf = (piece: SqlPiece): string => {
    const one = compileStatement([piece], parameters)
    const values = one
      .values(bindings)
      .map(value => (value === null ? 'null' : escapeLiteral(value)))
    return one
      .text(idType)
      .replaceAll(
        /\(\$(\d+)(::[^()]*)\)/g,
        (_, number: string, cast: string) => `${values[Number(number) - 1]}${cast}`,
      )
  }
  const sql = `${text.slice(sqlStart, start)}${textOf(statement.pieces)}${text.slice(end)}`.trim()
  return [
    `-- ${name} of organization ${organizationId} from ${period.start} to ${addDays(period.end, -1)}`,
    ...Object.entries(settings).map(
      ([setting, value]) => `set ${setting} = ${escapeLiteral(value)};`,
    ),
    ...Array.from(used, ([name, piece]) => `\\set ${name} ${metaQuoted(literalOf(piece))}`),
    sql,
    // why: a comment may precede the semicolon, and a second semicolon is harmless
    ...(text.slice(end).trimStart().startsWith(';') ? [] : [';']),
    '',
  ].join('\n')
}

/** @see https://www.postgresql.org/docs/current/app-psql.html#APP-PSQL-META-COMMANDS */
function metaQuoted(text: string): string {
  return `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(/[\n\r]/g, '\\n')}'`
}
