/** Questions with values of parameters: each that is listed, two that a select returns, or the least and the greatest. */
import type { Parameter } from '../../definitions/definition.ts'
import type { ParameterType } from '../../definitions/parameter-value.ts'
import { defaultValues, valueFault } from '../../definitions/parameter-values.ts'
import { findingsOfKind } from './evidence.ts'
import type { KindFinding } from './kinds.ts'
import type { Question } from './questions.ts'
import { isRefusal, orRefusal } from './session.ts'
import type { Subject } from './subject.ts'

const [LEAST, MOST] = ['-9007199254740991', '9007199254740991']

/** By type, of the longest range that the gateway binds; no row has them. */
export const EXTREMES: Readonly<Record<ParameterType, readonly string[]>> = {
  text: ['a value of no row'],
  uuid: ['00000000-0000-0000-0000-0000000000ff'],
  integer: [LEAST, MOST],
  money: [LEAST, MOST],
  number: [LEAST, MOST],
  date: ['1900-01-01', '2999-12-31'],
  boolean: ['true', 'false'],
}

/** @param base its organization and period are those of all */
export async function parameterQuestions(
  { definition, session, idType }: Subject,
  base: Question,
): Promise<{ questions: Question[]; findings: KindFinding[] }> {
  const questions: Question[] = []
  const findings: KindFinding[] = []
  for (const parameter of definition.parameters) {
    const { name, query } = parameter
    let values = extremesOf(parameter)
    if (query !== undefined) {
      const { statement, timeoutMs } = query
      const asked = { text: statement.text(idType), values: statement.values(base.bindings) }
      const found = await orRefusal(session.query({ ...asked, timeoutMs }))
      if (isRefusal(found)) {
        const path = ['parameters', name, 'values', 'sql']
        const message = `${path.join('.')}: ${found.message} (${base.label}), expected values for every organization`
        const line = definition.source.lineOf(path)
        findings.push(...findingsOfKind('execution', [{ line, message }]))
        continue
      }
      const at = found.fields.findIndex(field => field.name === 'value')
      values = found.rows.slice(0, 2).flatMap(row => row[at] ?? [])
    }
    for (const value of values.filter(one => valueFault(parameter, one) === undefined)) {
      const parameters = new Map([...defaultValues(definition.parameters), [name, value]])
      const label = `${base.label}, ${name} ${value}`
      questions.push({ ...base, bindings: { ...base.bindings, parameters }, label })
    }
  }
  return { questions, findings }
}

function extremesOf({ type, choices, minimum, maximum }: Parameter): readonly string[] {
  if (choices !== undefined) return choices.map(({ value }) => value)
  const [least = '', most = least] = EXTREMES[type]
  return [minimum ?? least, maximum ?? most]
}
