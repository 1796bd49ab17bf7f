// Starts the baselines: bare Koa, and the plain program with the gateway's statements and planner settings.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SESSION_SETTINGS } from '../../src/serve/database/session-settings.ts'
import { sessionOptions } from '../harness/session-options.ts'
import { POOL_SIZE, type Bench } from './bench.ts'
import { catalog, definitionOf, ID_TYPE, type Code } from './requests.ts'
import { startServer, type ServerProcess } from './server-process.ts'

/** Values that tell which parameter each of a statement is; the period contains today. */
const PARAMETERS = {
  organization: 'organization',
  '1001-01-01': 'from',
  '1003-01-01': 'end',
  '1002-01-01': 'asOf',
} as const
type Parameter = (typeof PARAMETERS)[keyof typeof PARAMETERS]

export interface PlainReports {
  /** Text of the key query. */
  readonly access: string
  /** The session's settings, as libpq takes them. */
  readonly options: string
  readonly reports: Readonly<Record<string, PlainReport>>
}

interface PlainReport {
  readonly title: string
  readonly columns: readonly {
    readonly key: string
    readonly title: string
    readonly type: string
  }[]
  readonly text: string
  /** Of `$1`, `$2`, ... */
  /** Null for one of the definition's own, which has no value. */
  readonly parameters: ReadonlyArray<Parameter | null>
}

const pathOf = (program: string): string => fileURLToPath(new URL(program, import.meta.url))

export function startPlainProgram(bench: Bench): Promise<ServerProcess> {
  const reports = join(bench.folder, 'reports.json')
  const plain: PlainReports = {
    access: catalog.access.text,
    options: sessionOptions(SESSION_SETTINGS),
    reports: {
      operations: plainReport('operations'),
      income_by_category: plainReport('income_by_category'),
    },
  }
  writeFileSync(reports, JSON.stringify(plain))
  return startServer(bench, {
    name: 'plain-program',
    command: [process.execPath, pathOf('./plain-program.js')],
    env: {
      REPORTS: reports,
      POOL_SIZE,
      DATABASE_URL: bench.product.urls.reports,
      KEYS_DATABASE_URL: bench.product.urls.keys,
    },
  })
}

function plainReport(code: Code): PlainReport {
  const { title, columns, statement } = definitionOf(code)
  const names = statement.values({
    organizationId: 'organization',
    period: { start: '1001-01-01', end: '1003-01-01' },
    today: '1002-01-01',
    now: 'now',
    timeZone: 'timeZone',
  })
  const parameters = names.map(name => {
    if (name === null) return null
    const parameter = PARAMETERS[name as keyof typeof PARAMETERS] as Parameter | undefined
    if (parameter === undefined) throw new Error(`the plain program has no value for ${name}`)
    return parameter
  })
  return {
    title,
    columns: columns.map(({ key, title, type }) => ({ key, title, type })),
    text: statement.text(ID_TYPE),
    parameters,
  }
}

export function startBareKoa(bench: Bench, bodies: readonly Buffer[]): Promise<ServerProcess> {
  const folder = join(bench.folder, 'bodies')
  mkdirSync(folder)
  for (const [at, body] of bodies.entries()) writeFileSync(join(folder, `${at}`), body)
  const command = [process.execPath, pathOf('./bare-koa.js')]
  return startServer(bench, { name: 'bare-koa', command, env: { BODIES: folder } })
}
