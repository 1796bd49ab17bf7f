/** What the rules of the text say of a definition, so that a run does not say its symptom again. Knows no database. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { basename } from 'node:path'
import { zeroDivision } from './text/division.ts'
import { draftOf, type TextRule } from './text/draft.ts'
import { localDays } from './text/instants.ts'
import { literals } from './text/literals.ts'
import { orderSaid, picked } from './text/rows.ts'
import { otherZones } from './text/zones.ts'

export interface AlreadySaid {
  /** That days or instants hang on a time zone. */
  readonly timeZone: boolean
  /** That rows are taken or put in an order by chance. */
  readonly order: boolean
  /** That a division may be by 0. */
  readonly division: boolean
  /** Lines with a literal that should be none. */
  readonly literals: ReadonlySet<number>
  /** Those of them that are ids. */
  readonly ids: readonly string[]
}

const UUID = /^'([0-9a-f-]{36})'/i

export function alreadySaid(definition: AnyDefinition): AlreadySaid {
  const { file, version, source } = definition
  const written = { file, version, code: basename(file, '.sql'), text: source.text }
  const draft = draftOf(written, isReport(definition) ? 'report' : 'metrics')
  const say = (rule: TextRule) => (draft === undefined ? [] : rule(draft, [draft]))
  const found = say(literals)
  return {
    timeZone: [...say(localDays), ...say(otherZones)].length > 0,
    order: [...say(picked), ...say(orderSaid)].length > 0,
    division: say(zeroDivision).length > 0,
    literals: new Set(found.map(({ line }) => line)),
    ids: found.flatMap(({ message }) => UUID.exec(message)?.[1] ?? []),
  }
}
