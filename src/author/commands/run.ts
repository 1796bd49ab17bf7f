/** `svodka run`: prints a result for the terminal, as the API's response body, or as a psql script. */
import { tmpdir } from 'node:os'
import { isReport } from '../../definitions/any-definition.ts'
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import { OFFERED_FORMATS } from '../../serve/formats/catalog.ts'
import { counted } from '../plans/figures.ts'
import { metricsTable, textTable } from '../terminal/text-table.ts'
import { nulledText, unknownText } from '../../serve/observe/log-lines.ts'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { createStop } from '../../model/stop.ts'
import { STATEMENT_SETTINGS } from '../../serve/database/session-settings.ts'
import type { Execute } from '../../serve/database/execute.ts'
import { parametersJson } from '../../serve/formats/json/json-field.ts'
import { createLoadMetrics, metricsBody } from '../../serve/report/load-metrics.ts'
import { createLoadReport } from '../../serve/report/load-report.ts'
import { bindings, makeReportRequest } from '../../serve/report/report-request.ts'
import { Spool } from '../../serve/report/spool.ts'
import { psqlScript } from './psql-script.ts'
import { definitionError, executeIn, withReportSession } from './report-session.ts'
import { EXIT } from '../../model/command-error.ts'
import { print, printLine } from '../../command/output.ts'
import { withQuestion, type CommandQuestion, type QuestionOptions } from './question.ts'

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

/** Half of it for one report. */
const MAX_SPOOL_BYTES = 2 ** 31

async function printResult(question: CommandQuestion, options: RunOptions): Promise<void> {
  const { request, config, databases } = question
  const { definition, organization, period } = request
  const { json = false, format: name = json ? 'json' : undefined, org } = options
  const stop = createStop()

  async function printReport(execute: Execute, report: ReportDefinition): Promise<string> {
    const format = name === undefined ? textTable(org) : OFFERED_FORMATS[name].format
    const load = createLoadReport({
      execute,
      observe: printNulled,
      maxBytes: config.maxCachedBytes,
      spool: new Spool(MAX_SPOOL_BYTES, tmpdir()),
    })
    const body = await load(
      makeReportRequest(
        organization,
        report,
        period,
        Date.parse(request.now),
        format,
        request.parameters,
      ),
      stop,
    )
    if (body.kind === 'memory') await print(body.bytes)
    else {
      for await (const part of body.parts(0, body.length)) await print(Buffer.from(part))
      body.remove()
    }
    return counted(body.rowCount, 'row')
  }

  async function printMetrics(execute: Execute, metrics: MetricsDefinition): Promise<string> {
    const ofMetrics = { ...request, definition: metrics }
    const load = createLoadMetrics({ execute, observe: printNulled })
    const { values } = await load(ofMetrics, stop)
    const ofPeriod = { period, values }
    await print(
      json
        ? metricsBody(
            metrics.metrics,
            metrics,
            parametersJson(metrics.parameters, request.parameters),
            ofPeriod,
          )
        : metricsTable(values, ofMetrics, org),
    )
    return counted(metrics.metrics.length, 'metric')
  }

  let durationMs: Milliseconds = 0
  const found = await withReportSession(config, [definition], client => {
    const execute: Execute = async (...args) => {
      const startedAt = performance.now()
      const result = await executeIn(client)(...args)
      durationMs += performance.now() - startedAt
      return result
    }
    return isReport(definition)
      ? printReport(execute, definition)
      : printMetrics(execute, definition)
  }).catch((error: unknown) => {
    throw definitionError(error, question)
  })
  printLine(`${found} in ${Math.ceil(durationMs)} ms from ${databases.where}`)
}

const printNulled: Observe = fact => {
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
