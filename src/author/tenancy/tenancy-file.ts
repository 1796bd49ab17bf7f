/** Reads `tenancy.yaml` in the folder of definitions: tenancy of tables that neither SQL nor the catalog shows. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import type { FileFinding } from '../../definitions/findings.ts'

/** A line of the file. */
export interface DeclaredTable {
  /** As written: `orders`, `tracking.scans`. */
  readonly table: string
  readonly kind: 'tenant' | 'child' | 'shared'
  /** The column of a tenant or the parent of a child. */
  readonly by: string
  readonly file: string
  readonly line: number
}

export interface TenancyFile {
  readonly tables: readonly DeclaredTable[]
  readonly findings: readonly FileFinding[]
}

const NAME = 'tenancy.yaml'
const EXPECTED = 'expected a column, "via <table>" or "shared"'

/** @param directory `SQL_DIR` */
export function readTenancyFile(directory: string): TenancyFile {
  const path = join(directory, NAME)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return parseTenancy(text, `${basename(directory)}/${NAME}`)
}

export function parseTenancy(text: string, file: string): TenancyFile {
  const counter = new LineCounter()
  const { contents, errors } = parseDocument(text, { lineCounter: counter, prettyErrors: false })
  const findings: FileFinding[] = []
  const tables: DeclaredTable[] = []
  const addFinding = (offset: number, message: string) =>
    findings.push({ file, line: counter.linePos(offset).line, message })
  const error = errors.find(({ code }) => code !== 'DUPLICATE_KEY')
  if (error !== undefined) addFinding(error.pos[0], `YAML: ${error.message}`)
  else if (contents !== null && !isMap(contents)) {
    const message = `found no map, expected a line for each table, as "orders: shop_id"`
    addFinding(contents.range?.[0] ?? 0, message)
  }
  if (error !== undefined || !isMap(contents)) return { tables, findings }
  const seen = new Set<string>()
  for (const { key, value } of contents.items) {
    const offset = (isNode(key) ? key.range?.[0] : undefined) ?? 0
    const table = isScalar(key) ? String(key.value) : ''
    const text = isScalar(value) && typeof value.value === 'string' ? value.value : undefined
    const declared = tenancyIn(text ?? '')
    if (seen.has(table)) addFinding(offset, `table "${table}" again, expected each once`)
    else if (text === undefined) addFinding(offset, `${table}: found no text, ${EXPECTED}`)
    else if (declared === undefined) addFinding(offset, `${table}: found "${text}", ${EXPECTED}`)
    else tables.push({ ...declared, table, file, line: counter.linePos(offset).line })
    seen.add(table)
  }
  return { tables, findings }
}

function tenancyIn(text: string): Pick<DeclaredTable, 'kind' | 'by'> | undefined {
  const [first = '', by = '', ...more] = text.trim().split(/\s+/)
  if (more.length > 0 || first === '' || (first === 'via') !== (by !== '')) return undefined
  if (first === 'via') return { kind: 'child', by }
  return first === 'shared' ? { kind: 'shared', by } : { kind: 'tenant', by: first }
}
