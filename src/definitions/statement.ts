/**
 * Placeholders become typed `$n`, one for each name. The types stand in the text, so that PostgreSQL
 * plans with them and the values can all travel as text.
 */
import { asOf } from './calendar.ts'
import { PLACEHOLDERS, type Bindings, type Placeholder, type Statement } from './definition.ts'
import { idTypeFault } from './id-type.ts'
import { lex } from './lexer.ts'

/** What is bound; the instants are expressions over these. */
type Bound = Exclude<Placeholder, 'period_start_at' | 'period_end_at'>

const TYPES: Record<Exclude<Bound, 'organization_id'>, string> = {
  period_start: 'date',
  period_end: 'date',
  today: 'date',
  as_of: 'date',
  now: 'timestamptz',
  time_zone: 'text',
}

const VALUES: Record<Bound, (bindings: Bindings) => string> = {
  organization_id: bindings => bindings.organizationId,
  period_start: bindings => bindings.period.start,
  period_end: bindings => bindings.period.end,
  today: bindings => bindings.today,
  as_of: bindings => asOf(bindings.period, bindings.today),
  now: bindings => bindings.now,
  time_zone: bindings => bindings.timeZone,
}

/**
 * SQL with `:name` placeholders, ready to run.
 * @throws Error on a placeholder that does not exist; the rules have refused it with its line before.
 */
export function compileStatement(sql: string): Statement {
  const bound: Bound[] = []
  const used = new Set<Placeholder>()
  const pieces: string[] = []
  let organization: string | undefined
  let copied = 0

  const number = (name: Bound): string => {
    if (!bound.includes(name)) bound.push(name)
    return `$${bound.indexOf(name) + 1}`
  }
  const typed = (name: Exclude<Bound, 'organization_id'>) => `(${number(name)}::${TYPES[name]})`
  // PostgreSQL's own zone tables decide where a day begins, not this runtime's.
  const instant = (date: 'period_start' | 'period_end') =>
    `(${typed(date)}::timestamp at time zone ${typed('time_zone')})`

  for (const token of lex(sql)) {
    if (token.kind !== 'placeholder') continue
    const name = PLACEHOLDERS.find(name => token.text === `:${name}`)
    if (name === undefined) throw new Error(`unknown placeholder ${token.text}`)
    used.add(name)
    pieces.push(sql.slice(copied, token.start))
    copied = token.end
    if (name === 'organization_id') {
      organization ??= number(name)
      pieces.push(ORGANIZATION)
    } else if (name === 'period_start_at') pieces.push(instant('period_start'))
    else if (name === 'period_end_at') pieces.push(instant('period_end'))
    else pieces.push(typed(name))
  }
  pieces.push(sql.slice(copied))

  const textFor = (idType: string): string => {
    const fault = idTypeFault(idType)
    if (fault !== undefined) throw new Error(fault)
    return pieces
      .map(piece => (piece === ORGANIZATION ? `(${organization}::${idType})` : piece))
      .join('')
  }
  let last: { idType: string; text: string } | undefined
  return {
    text(idType) {
      if (last?.idType !== idType) last = { idType, text: textFor(idType) }
      return last.text
    },
    values: bindings => bound.map(name => VALUES[name](bindings)),
    usesToday: used.has('today') || used.has('as_of') || used.has('now'),
  }
}

/** Stands for `:organization_id` among the pieces: no piece of SQL is a lone NUL. */
const ORGANIZATION = '\0'
