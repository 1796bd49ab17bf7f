/** Which PostgreSQL types may stand behind a declared column, and where the columns of a result are. */
import type { ColumnType, MetricFormat } from '../terms.ts'
import type { Field } from './run-statement.ts'

/** @see https://www.postgresql.org/docs/current/catalog-pg-type.html OIDs of built-in types never change. */
const OID = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  float4: 700,
  float8: 701,
  unknown: 705,
  bpchar: 1042,
  varchar: 1043,
  date: 1082,
  timestamptz: 1184,
  numeric: 1700,
} as const

const INTEGERS = [OID.int2, OID.int4, OID.int8, OID.numeric]
const TEXTS = [OID.text, OID.varchar, OID.bpchar, OID.unknown]
const FLOATS: ReadonlySet<number> = new Set([OID.float4, OID.float8])

/** `text` takes any type but a float: identifiers and codes are printed as PostgreSQL prints them. */
const ALLOWED: Readonly<Record<ColumnType | MetricFormat, readonly number[] | 'any'>> = {
  text: 'any',
  date: [OID.date],
  month: [OID.date, ...TEXTS],
  datetime: [OID.timestamptz],
  integer: INTEGERS,
  number: INTEGERS,
  percent: INTEGERS,
  money: INTEGERS,
  days: INTEGERS,
  hours: INTEGERS,
}

const NAMES = new Map<number, string>(Object.entries(OID).map(([name, oid]) => [oid, name]))

/** A definition whose result is not what it declares. The message is for the log. */
export class ResultShapeError extends Error {
  override readonly name = 'ResultShapeError'
}

/**
 * Where each wanted column stands in the result, by name.
 * @throws ResultShapeError naming every column that is missing, twice there or of a wrong type.
 */
export function locateColumns(
  fields: readonly Field[],
  wanted: ReadonlyMap<string, ColumnType | MetricFormat>,
): Map<string, number> {
  const places = new Map<string, number>()
  const faults: string[] = []
  fields.forEach((field, place) => {
    if (places.has(field.name)) faults.push(`column "${field.name}" is there twice`)
    places.set(field.name, place)
  })
  for (const [name, type] of wanted) {
    const field = fields[places.get(name) ?? -1]
    if (field) faults.push(...typeFaults(field, type))
    else faults.push(`column "${name}" is missing`)
  }
  if (faults.length > 0) throw new ResultShapeError(faults.join('; '))
  return places
}

function typeFaults(field: Field, type: ColumnType | MetricFormat): string[] {
  const allowed = ALLOWED[type]
  const fits = allowed === 'any' ? !FLOATS.has(field.typeId) : allowed.includes(field.typeId)
  if (fits) return []
  const found = NAMES.get(field.typeId) ?? `type ${field.typeId}`
  const expected =
    allowed === 'any' ? 'any type but a float' : allowed.map(oid => NAMES.get(oid)).join(' or ')
  return [`column "${field.name}" is ${found}, but ${type} takes ${expected}`]
}
