/** Executes the select of a parameter's values for an organization. */
import type { ChoiceQuery } from '../../definitions/definition.ts'
import { valueJson, valueType, type ParameterType } from '../../definitions/parameter-value.ts'
import { cutText } from '../../model/cut-text.ts'
import { inEnglish, Problem } from '../../model/errors.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import { rawField } from '../../model/row-bytes.ts'
import type { Stop } from '../../model/stop.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import { forEachRow } from '../database/connection.ts'
import type { Execute } from '../database/execute.ts'
import type { Field, Rows } from '../database/rows.ts'
import { jsonText } from '../formats/json/json-field.ts'
import { statementOf, type ReportRequest } from './report-request.ts'
import { fitsType, ResultColumnsError, typeName, typesFor } from './result-columns.ts'

/** The values of a parameter for an organization. */
export interface ChoiceList {
  readonly kind: 'choices'
  readonly rowCount: number
  /** `{value, label}` objects as JSON. */
  readonly members: readonly string[]
  readonly dataAsOf: Instant | undefined
  readonly byteCount: Bytes
}

export type LoadChoices = ReturnType<typeof createLoadChoices>

const MAX_CHOICES = 10_000
const MAX_LABEL = 500

export function createLoadChoices({ execute }: { readonly execute: Execute }) {
  /** @throws as `LoadReport` */
  return (
    report: ReportRequest<ChoiceQuery>,
    stop: Stop,
    origin?: RequestOrigin,
  ): Promise<ChoiceList> =>
    execute(statementOf(report, origin), stop, rows => readChoices(report.definition, rows))
}

/** Indexes of `value` and `label`. @throws ResultColumnsError if one is missing, or no value has the type */
export function choiceColumns(
  fields: readonly Field[],
  type: ParameterType,
): readonly [value: number, label: number] {
  const names = fields.map(({ name }) => name)
  const indexes = [names.indexOf('value'), names.indexOf('label')] as const
  if (indexes.includes(-1))
    throw new ResultColumnsError(`found ${names.join(', ')}, expected the columns value and label`)
  const { typeId } = fields[indexes[0]]!
  // why: a uuid may be a text, and truth values are not selected
  if (type !== 'uuid' && type !== 'boolean' && !fitsType(typeId, type))
    throw new ResultColumnsError(
      `column "value" is ${typeName(typeId)}, expected ${typesFor(type)} for ${type}`,
    )
  return indexes
}

async function readChoices({ type }: ChoiceQuery, rows: Rows): Promise<ChoiceList> {
  const [valueIndex, labelIndex] = choiceColumns(rows.fields, type)
  const { canonical, expected } = valueType(type)
  const members: string[] = []
  const reading = forEachRow(rows, row => {
    if (members.length >= MAX_CHOICES) throw tooManyChoices()
    const raw = rawField(row, valueIndex)
    const value = raw === null ? undefined : canonical(raw)
    // why: no request can ask for it, and the text of one row must not hide the others
    if (raw === null || (value === undefined && type === 'text')) return
    if (value === undefined)
      throw new ResultColumnsError(`value is ${raw.slice(0, 50)}, expected ${inEnglish(expected)}`)
    const label = rawField(row, labelIndex) ?? value
    members.push(
      `{"value":${valueJson(type, value)},"label":${jsonText(cutText(label, MAX_LABEL))}}`,
    )
  })
  if (reading !== undefined) await reading
  const { length: rowCount } = members
  const byteCount = 2 * members.join(',').length
  return { kind: 'choices', rowCount, members, dataAsOf: rows.dataAsOf, byteCount }
}

function tooManyChoices(): Problem {
  return new Problem('result_too_large', texts => texts.tooManyChoices(MAX_CHOICES))
}
