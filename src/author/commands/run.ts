/** `svodka run`: prints a result for the terminal, as the API's response body, or as a psql script. */
import { monotonicClock } from '../../model/clock.ts'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { isReport } from '../../definitions/any-definition.ts'
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import { OFFERED_FORMATS } from '../../serve/formats/catalog.ts'
import { counted } from '../plans/figures.ts'
import { metricsTable } from '../terminal/metrics-table.ts'
import { textTable } from '../terminal/text-table.ts'
import { nulledText } from '../../serve/observe/log-lines.ts'
import type { Observe } from '../../model/observation.ts'
import { STATEMENT_SETTINGS } from '../../serve/database/session-settings.ts'
import type { Replicas } from '../../serve/database/attempts.ts'
import {
  createLoadMetrics,
  metricsBody,
  readMetricFields,
} from '../../serve/report/load-metrics.ts'
import { createLoadReport } from '../../serve/report/load-report.ts'
import { createNegativeCache } from '../../serve/report/negative-cache.ts'
import { createSpillFiles } from '../../serve/report/spill-file.ts'
import { bindings } from '../../serve/report/report-request.ts'
import { withReplica } from './single-replica.ts'
import { psqlScript } from './psql-script.ts'
import { definitionError } from './definition-error.ts'
import { EXIT } from '../../serve/start/exit.ts'
import { print, printLine } from '../../serve/start/output.ts'
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

const MAX_SPILL_BYTES = 2 ** 30

async function printResult(question: CommandQuestion, options: RunOptions): Promise<void> {
  const { request, config, databases } = question
  const { definition } = request
  const { json = false, format: name = json ? 'json' : undefined, org } = options
  const { signal } = new AbortController()
  const negativeCache = createNegativeCache({ observe: () => undefined, elapsed: monotonicClock })

  async function printReport(replicas: Executes, report: ReportDefinition): Promise<string> {
    const format = name === undefined ? textTable(org) : OFFERED_FORMATS[name].format
    const load = createLoadReport({
      replicas,
      maxBytes: config.maxCachedBytes,
      spillFiles: createSpillFiles({ maxBytes: MAX_SPILL_BYTES, folder: tmpdir() }),
      negativeCache,
      observe: printNulled,
    })
    const body = await load({ ...request, definition: report }, { format }, signal)
    await print(
      body.kind === 'whole'
        ? body.identity.bytes
        : Readable.from(body.chunks, { objectMode: false }),
    )
    return counted(body.rowCount, 'row')
  }

  async function printMetrics(replicas: Executes, metrics: MetricsDefinition): Promise<string> {
    const metricsRequest = { ...request, definition: metrics }
    const codes = metrics.metrics.map(({ code }) => code)
    if (json) {
      const values = await createLoadMetrics({
        replicas,
        negativeCache,
        observe: printNulled,
      })(metricsRequest, signal)
      await print(metricsBody(codes, { ...metricsRequest, json: values.json }))
    } else {
      const { value } = await readMetricFields(
        { replicas, observe: printNulled },
        metricsRequest,
        signal,
        fields => metricsTable(fields, metricsRequest, org),
      )
      await print(value)
    }
    return counted(codes.length, 'metric')
  }

  try {
    const { durationMs, found } = await withReplica(question, replicas =>
      isReport(definition) ? printReport(replicas, definition) : printMetrics(replicas, definition),
    )
    printLine(`${found} in ${Math.ceil(durationMs)} ms from ${databases.where}`)
  } catch (error) {
    throw definitionError(error, question)
  }
}

type Executes = Pick<Replicas, 'begin'>

const printNulled: Observe = fact => {
  if (fact.kind === 'values-nulled') printLine(nulledText(fact.definition, fact.column))
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
