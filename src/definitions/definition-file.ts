/** What reports and metrics files have in common: front matter, followed by one statement for an organization. */
import type { Seconds } from '../model/terms.ts'
import { budgetOf } from './budget.ts'
import { PLACEHOLDERS, type DefinitionSource } from './definition.ts'
import { durationMs } from '../model/quantity.ts'
import type { Finding } from './findings.ts'
import { readFrontMatter, type FrontMatter } from './front-matter.ts'
import { checkStatement, findingsAt } from './rules/check-sql.ts'
import { DEFAULTS, MAX_TIMEOUT, MIN_MAX_LAG, type CommonMatter, type Schema } from './schemas.ts'
import { hashOf, type SourceFile } from './source-file.ts'
import type { ParsedSql, ParseSql } from './sql/parsed-sql.ts'
import { cutAtPlaceholders, textOf, withoutComments, type SqlPieces } from './sql/sql-pieces.ts'
import { as } from './sql/syntax-tree.ts'
import { lineAt } from './sql/text-positions.ts'
import { isolate, type Isolated } from './isolate.ts'
import { namedObjects, type NamedObject } from './named-objects.ts'
import { parseParameters, type ReadParameters } from './parameters.ts'
import { wordsOfDefinitions, type Product } from './product.ts'
import { compileStatement } from './statement.ts'
import type { Tenancy } from './tenancy.ts'
import { rowsOf } from './tenant-rows.ts'

export interface DefinitionFile<Matter> extends FrontMatter<Matter> {
  /** In front matter and SQL. */
  readonly findings: readonly Finding[]
  readonly sql: ParsedSql
  readonly isolated: Isolated
  readonly parameters: ReadParameters
}

/** @param name of the definition */
export async function readDefinitionFile<Matter extends CommonMatter>(
  { text, file }: SourceFile,
  name: string,
  schema: Schema<Matter>,
  isOrdered: boolean,
  parse: ParseSql,
  tenancy: Tenancy,
): Promise<DefinitionFile<Matter>> {
  const front = readFrontMatter(text, schema)
  const { parameters: declared = {} } = front.matter ?? {}
  const placeholders = [...PLACEHOLDERS, ...Object.keys(declared)]
  const sql = await parse({ text, from: front.sqlStart, placeholders })
  const parameters = await parseParameters(declared, {
    // why: a statement that cannot be parsed has no placeholders
    used: sql.error === undefined ? sql.placeholders.map(use => use.name) : undefined,
    definition: { file, name, ...limitsOf(front.matter ?? {}) },
    lineOf: front.lineOf,
    parse,
    tenancy,
  })
  // why: unclosed front matter extends to the end of the file, SQL included
  const isCut = front.sqlStart === text.length && front.findings.length > 0
  const isolated = isolate(sql, tenancy)
  const matter = isolated.namesBroken ? undefined : front.matter
  const ofSql = isCut
    ? []
    : [
        ...checkStatement(sql, { isOrdered, namesUnknown: front.matter === undefined }),
        ...isolationFindings(sql, isolated, { ...front, matter }),
      ]
  return {
    ...front,
    matter,
    findings: [...front.findings, ...limitFindings(front), ...parameters.findings, ...ofSql],
    sql,
    isolated,
    parameters,
  }
}

function isolationFindings(
  { text, statements: [statement] }: ParsedSql,
  { faults, tables }: Isolated,
  { matter, lineOf }: FrontMatter<CommonMatter>,
): Finding[] {
  if (faults.length > 0) return findingsAt(text, faults)
  // why: another rule reports what is no select
  if (as(statement?.tree, 'SelectStmt') === undefined || matter === undefined) return []
  const own = tables.find(({ tenancy }) => tenancy.kind !== 'shared')
  if (own !== undefined && matter.shared === true) {
    const message = `shared: found with ${own.name}, whose rows belong to organizations, expected only shared tables`
    return [{ line: lineOf(['shared']), message }]
  }
  if (own !== undefined || matter.shared === true) return []
  const message =
    'reads no table whose rows belong to organizations, expected one, or "shared: true" in the front matter: the same figures for all organizations'
  return [{ line: lineAt(text, statement!.start), message }]
}

function limitFindings({ matter, lineOf }: FrontMatter<CommonMatter>): Finding[] {
  const { timeout = DEFAULTS.timeout, maxLag = MIN_MAX_LAG } = matter ?? {}
  const timeoutMs = durationMs(timeout)
  const findings: Finding[] = []
  const find = (key: string, message: string) =>
    findings.push({ line: lineOf([key]), message: `${key}: ${message}` })
  if (timeoutMs <= 0 || timeoutMs > durationMs(MAX_TIMEOUT))
    find('timeout', `found ${timeout}, expected more than 0 and at most ${MAX_TIMEOUT}`)
  if (durationMs(maxLag) < durationMs(MIN_MAX_LAG))
    find('maxLag', `found ${maxLag}, expected at least ${MIN_MAX_LAG}`)
  return findings
}

/** Where a report's totals row comes from; by default there is none. */
interface Totals {
  readonly totals?: DefinitionSource['totals']
  /** Objects that they name. */
  readonly objectsOfTotals?: readonly NamedObject[]
  readonly returnsTotals?: boolean
  readonly around?: ((statement: SqlPieces) => SqlPieces) | undefined
}

/** The fields that all definitions have. @param matter of a file without findings */
export function commonOf<Matter extends CommonMatter>(
  { file, version, text }: SourceFile,
  matter: Matter,
  { sql, lineOf, sqlStart, isolated, parameters: read }: DefinitionFile<Matter>,
  tenancy: Tenancy,
  product: Product,
  {
    totals = new Map(),
    objectsOfTotals = [],
    returnsTotals = false,
    around = rows => rows,
  }: Totals = {},
) {
  const { start, end } = sql.statements[0] ?? { start: text.length, end: text.length }
  const { placeholders } = sql
  const { parameters } = read
  const over: DefinitionSource['over'] = (
    rows,
    { totals: hasTotals = true, insertions = [] } = {},
  ) => {
    const all = [...insertions, ...isolated.insertions(rows)]
    // why: a definition holds its text, not its syntax tree
    const pieces = cutAtPlaceholders({ text, placeholders }, { start, end }, all)
    return compileStatement(hasTotals ? around(pieces) : pieces, parameters)
  }
  const ownRows = rowsOf(tenancy.tables)
  const statement = over(ownRows, { totals: false })
  const ofTotals = Array.from(totals, ([name, total]) => `${name} ${textOf(total)}`)
  const words = wordsOfDefinitions(product)
  const ofProduct = words === undefined ? [] : [words]
  const sqlText = withoutComments(sql, isolated.insertions(ownRows))
  const statementHash = hashOf(sqlText, ...ofTotals, ...ofProduct)
  const firstLine = lineAt(text, start)
  const notes = findingsAt(text, isolated.notes)
  const ofSql = namedObjects(sql, offset => lineAt(text, offset))
  const objects = [...ofSql, ...objectsOfTotals, ...read.objects]
  const ofText = { text, sqlStart, start, end, firstLine, statement, over }
  const tables = [...isolated.tables, ...read.tables]
  const ofServer = { tables, tenancy, notes, objects }
  const { budget } = matter
  return {
    file,
    version: hashOf(version, statementHash),
    statement: over(ownRows),
    statementHash,
    parameters,
    ...limitsOf(matter),
    budget: budget && budgetOf(budget),
    product,
    currency: product.currency,
    source: { ...ofText, ...ofServer, matter, lineOf, totals, returnsTotals },
  }
}

function limitsOf({
  fresh,
  stale = DEFAULTS.stale,
  maxLag,
  timeout = DEFAULTS.timeout,
}: CommonMatter) {
  const { open, closed } = { ...DEFAULTS.fresh, ...fresh }
  return {
    freshSeconds: { open: secondsOf(open), closed: secondsOf(closed) },
    staleSeconds: secondsOf(stale),
    maxLagMs: maxLag === undefined ? undefined : durationMs(maxLag),
    timeoutMs: durationMs(timeout),
  }
}

function secondsOf(duration: string): Seconds {
  return durationMs(duration) / 1000
}
