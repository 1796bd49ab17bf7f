/** Which PostgreSQL types a declared column may have. */
import { types } from 'pg'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'

/** By name. @see https://www.postgresql.org/docs/current/catalog-pg-type.html OIDs of built-in types never change. */
export const OID: Readonly<Record<keyof typeof types.builtins, number>> = types.builtins

const NUMBERS: readonly number[] = [OID.INT2, OID.INT4, OID.INT8, OID.NUMERIC]

/** Of the types that are neither texts nor numbers. */
const ALLOWED: Readonly<Partial<Record<ColumnType | MetricFormat, readonly number[]>>> = {
  date: [OID.DATE],
  month: [OID.DATE, OID.TEXT, OID.VARCHAR, OID.BPCHAR],
  datetime: [OID.TIMESTAMPTZ],
}

export function typeName(typeId: number): string {
  const found = Object.entries(OID).find(([, oid]) => oid === typeId)
  return found?.[0].toLowerCase() ?? `type ${typeId}`
}

/** `text` takes any type but a float: identifiers and codes are printed as PostgreSQL prints them. */
export function fitsType(typeId: number, type: ColumnType | MetricFormat): boolean {
  if (type === 'text') return typeId !== OID.FLOAT4 && typeId !== OID.FLOAT8
  return (ALLOWED[type] ?? NUMBERS).includes(typeId)
}

/** The allowed types of a column, for messages. */
export function typesFor(type: ColumnType | MetricFormat): string {
  if (type === 'text') return 'any type but a float'
  return (ALLOWED[type] ?? NUMBERS).map(typeName).join(' or ')
}

/** Whether a division that returns this type drops the fraction. */
export function losesFraction(typeId: number): boolean {
  return typeId !== OID.NUMERIC && NUMBERS.includes(typeId)
}
