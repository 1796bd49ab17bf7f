/** `svodka run`: prints a result for the terminal, as the API's response body, or as a psql script. */
import { isReport } from '../../definitions/any-definition.ts'
import type { Observe } from '../../model/observation.ts'
import { createStop } from '../../model/stop.ts'
import { OFFERED_FORMATS } from '../../serve/formats/catalog.ts'
import { parametersJson } from '../../serve/formats/json/json-field.ts'
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import { STATEMENT_SETTINGS } from '../../serve/database/session-settings.ts'
import { nulledText, unknownText } from '../../serve/observe/log-lines.ts'
import { encode, type Body } from '../../serve/report/encode.ts'
import { createLoadMetrics, metricsBody } from '../../serve/report/load-metrics.ts'
import { bindings, makeReportRequest, statementOf } from '../../serve/report/report-request.ts'
import { EXIT } from '../../model/command-error.ts'
import { print, printLine } from '../../command/output.ts'
import { counted } from '../plans/figures.ts'
import { metricsTable, textTable } from '../terminal/text-table.ts'
import { psqlScript } from './psql-script.ts'
import { withQuestion, type CommandQuestion, type QuestionOptions } from './question.ts'
import { askReplica, executeIn } from './report-session.ts'

export interface RunOptions extends QuestionOptions {
  readonly json?: boolean | undefined
  readonly psql?: boolean | undefined
}

/** @throws CommandError if an input is missing, or the definition or the database fails. */
export function run(
  name: string,
  options: RunOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return withQuestion(name, options, environment, async question => {
    if (options.psql === true) await printScript(question)
    else await printResult(question, options)
    return EXIT.ok
  })
}

async function printResult(question: CommandQuestion, options: RunOptions): Promise<void> {
  let startedAt = 0
  const { bytes, extent } = await askReplica(question, client => {
    startedAt = performance.now()
    return load(question, options, client)
  })
  const ms = Math.ceil(performance.now() - startedAt)
  await print(bytes)
  printLine(`${extent} in ${ms} ms from ${question.databases.where}`)
}

async function load(
  { request }: CommandQuestion,
  { json = false, format: name = json ? 'json' : undefined, org }: RunOptions,
  client: DatabaseClient,
): Promise<{ readonly bytes: string | Buffer; readonly extent: string }> {
  const { definition, organization, period, parameters } = request
  const execute = executeIn(client)
  const stop = createStop()
  if (!isReport(definition)) {
    const { metrics } = definition
    const ofMetrics = { ...request, definition }
    const { values } = await createLoadMetrics({ execute, observe })(ofMetrics, stop)
    const given = parametersJson(definition.parameters, parameters)
    const bytes = json
      ? metricsBody(metrics, definition, given, { period, values })
      : metricsTable(values, ofMetrics, org)
    return { bytes, extent: counted(metrics.length, 'metric') }
  }
  const format = name === undefined ? textTable(org) : OFFERED_FORMATS[name].format
  await format.load?.()
  const nowMs = Date.parse(request.now)
  const report = makeReportRequest(organization, definition, period, nowMs, format, parameters)
  // why: all of it is printed, so it may be in memory
  const inMemory = { maxBytes: Infinity, createFile: () => undefined, stop, observe }
  const body = await execute(statementOf(report), stop, rows => encode(report, rows, inMemory))
  const { bytes, rowCount } = body as Extract<Body, { readonly kind: 'memory' }>
  return { bytes, extent: counted(rowCount, 'row') }
}

const observe: Observe = fact => {
  if (fact.kind === 'values-nulled') printLine(nulledText(fact.definition, fact.column))
  if (fact.kind === 'currencies-unknown') printLine(unknownText(fact.definition, fact.column))
}

async function printScript({ request, databases }: CommandQuestion): Promise<void> {
  const { definition, organization } = request
  await print(psqlScript(definition, bindings(request), organization.idType, SETTINGS))
  const { isDemo, environment } = databases
  printLine(
    `Paste it into: psql ${isDemo ? `'${environment['DATABASE_URL']}'` : '"$DATABASE_URL"'}`,
  )
}

/** why: in psql, a statement must have the same plan and result as in the gateway, and must not write */
const SETTINGS = { ...STATEMENT_SETTINGS, default_transaction_read_only: 'on' }
