/** Which PostgreSQL types a declared column may have, and the positions of columns in a result. */
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import type { Field } from '../database/result-reader.ts'

/** @see https://www.postgresql.org/docs/current/catalog-pg-type.html OIDs of built-in types never change. */
export const OID = {
  bool: 16,
  bytea: 17,
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

/** As PostgreSQL prints them. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [OID.bool, 'boolean'],
  [OID.bytea, 'bytea'],
  [OID.int8, 'bigint'],
  [OID.int2, 'smallint'],
  [OID.int4, 'integer'],
  [OID.text, 'text'],
  [114, 'json'],
  [OID.float4, 'real'],
  [OID.float8, 'double precision'],
  [OID.unknown, 'unknown'],
  [OID.bpchar, 'character'],
  [OID.varchar, 'character varying'],
  [OID.date, 'date'],
  [1083, 'time without time zone'],
  [1114, 'timestamp without time zone'],
  [OID.timestamptz, 'timestamp with time zone'],
  [1186, 'interval'],
  [OID.numeric, 'numeric'],
  [2950, 'uuid'],
  [3802, 'jsonb'],
])

/** The result of a definition differs from its declared columns. The message is for the log. */
export class ResultColumnsError extends Error {
  override readonly name = 'ResultColumnsError'
  /** The first wrong column. */
  readonly column: string | undefined

  constructor(message: string, column?: string) {
    super(message)
    this.column = column
  }
}

/**
 * The position of each wanted column in the result, by name.
 * @throws ResultColumnsError with every column that is missing, selected twice or of a wrong type.
 */
export function locateColumns(
  fields: readonly Field[],
  wanted: ReadonlyMap<string, ColumnType | MetricFormat>,
): Map<string, number> {
  const positions = new Map<string, number>()
  const faults: Array<readonly [column: string, fault: string]> = []
  fields.forEach((field, position) => {
    if (positions.has(field.name))
      faults.push([field.name, `column "${field.name}" is selected twice, expected it once`])
    positions.set(field.name, position)
  })
  for (const [name, type] of wanted) {
    const field = fields[positions.get(name) ?? -1]
    if (field) faults.push(...typeFaults(field, type).map(fault => [name, fault] as const))
    else faults.push([name, `column "${name}" is not selected, expected it in the select`])
  }
  if (faults.length > 0) {
    throw new ResultColumnsError(faults.map(([, fault]) => fault).join('; '), faults[0]?.[0])
  }
  return positions
}

function typeFaults(field: Field, type: ColumnType | MetricFormat): string[] {
  if (fitsType(field.typeId, type)) return []
  const found = NAMES.get(field.typeId) ?? `type ${field.typeId}`
  return [`column "${field.name}" is ${found}, expected ${typesFor(type)} for ${type}`]
}

export function fitsType(typeId: number, type: ColumnType | MetricFormat): boolean {
  const allowed = ALLOWED[type]
  return allowed === 'any' ? !FLOATS.has(typeId) : allowed.includes(typeId)
}

/** The allowed types of a column, for messages. */
export function typesFor(type: ColumnType | MetricFormat): string {
  const allowed = ALLOWED[type]
  return allowed === 'any'
    ? 'any type but a float'
    : allowed.map(oid => NAMES.get(oid)).join(' or ')
}

/** Whether a division that returns this type drops the fraction. */
export function losesFraction(typeId: number): boolean {
  return typeId !== OID.numeric && INTEGERS.some(oid => oid === typeId)
}
