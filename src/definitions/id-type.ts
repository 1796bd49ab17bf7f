/**
 * The PostgreSQL types that an organization's id may have. Reports bind the text of an id with a cast to its type.
 * PostgreSQL requires of a type that it reads what it prints as the same value (dumps depend on it), so that no id is
 * read back; the types that a cast truncates are rejected here.
 */

/** As `format_type(type, -1)` prints a name. */
const IDENTIFIER = '(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")'
const OF_TWO_WORDS =
  'character varying|bit varying|double precision|time(?:stamp)? with(?:out)? time zone'
const TYPE_NAME = new RegExp(
  String.raw`^(?:${OF_TWO_WORDS}|${IDENTIFIER}(?:\.${IDENTIFIER})?)(?:\[\])?$`,
)

/** In a cast these have length 1: longer values would be truncated. */
const OF_LENGTH_ONE: ReadonlySet<string> = new Set(['character', 'char', 'bit'])
/** Text cannot be cast to these. */
const PSEUDO_TYPES: ReadonlySet<string> = new Set(['record', 'record[]', 'unknown'])

/** Why ids of a type cannot be bound as text with a cast; undefined if they can. */
export function idTypeFault(idType: string): string | undefined {
  const found = `organization_id is of the type ${JSON.stringify(idType)}`
  if (!TYPE_NAME.test(idType)) return `${found}, which is not a type name`
  if (OF_LENGTH_ONE.has(idType)) return `${found}, and a cast to it truncates text to a length of 1`
  if (PSEUDO_TYPES.has(idType)) return `${found}, and no text can be cast to it`
  return undefined
}
