/** `svodka run`: the answer in the terminal, as the API gives it, or as a text for psql. */
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { isReport } from '../../definitions/any-definition.ts'
import type { MetricsDefinition, ReportDefinition } from '../../definitions/definition.ts'
import { psqlScript } from '../../definitions/psql-script.ts'
import { OFFERED_FORMATS } from '../../serve/formats/catalog.ts'
import { metricsTable } from '../terminal/metrics-table.ts'
import { textTable } from '../terminal/text-table.ts'
import { nullDatesText } from '../../serve/observability/log-lines.ts'
import type { Observe } from '../../model/observation.ts'
import { STATEMENT_SETTINGS } from '../../serve/replica/session-settings.ts'
import type { Replicas } from '../../serve/replica/attempts.ts'
import { createLoadMetrics, metricsBody, readMetricFields } from '../../serve/body/load-metrics.ts'
import { createLoadReport } from '../../serve/body/load-report.ts'
import { createNegativeCache } from '../../serve/body/negative-cache.ts'
import { createSpillFiles } from '../../serve/body/spill-file.ts'
import { bindings, type ReportRequest } from '../../serve/body/report-request.ts'
import type { ReportFormat } from '../../model/terms.ts'
import { withReplica } from './asked-replica.ts'
import { definitionError } from './definition-error.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { print, say, terminalWidth } from '../../serve/command-line/output.ts'
import { withQuestion, type Question, type QuestionOptions } from './question.ts'
import { runningDemo } from '../../demo/running-demo.ts'
import { DEMO_DIRECTORY } from '../../demo/start-demo.ts'

export interface RunOptions extends QuestionOptions {
  readonly json?: boolean | undefined
  readonly psql?: boolean | undefined
  /** Of a report. */
  readonly format?: ReportFormat | undefined
}

/** @throws CommandError where something is missing, where the definition is at fault, or the database. */
export function run(
  name: string,
  options: RunOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return withQuestion(name, options, environment, async question => {
    if (options.format !== undefined && !isReport(question.request.definition)) {
      throw new CommandError(
        EXIT.usage,
        `${name} is a file of metrics, and --format goes with reports alone. Try --json.`,
      )
    }
    if (options.psql === true) await printScript(question)
    else await printAnswer(question, options)
    return EXIT.ok
  })
}

async function printAnswer(question: Question, options: RunOptions): Promise<void> {
  const { request, databases } = question
  const { definition } = request
  try {
    const { durationMs, found } = await withReplica(question, replicas =>
      isReport(definition)
        ? printReport(replicas, { ...request, definition }, question, options)
        : printMetrics(replicas, { ...request, definition }, question, options),
    )
    say(`${found} in ${Math.ceil(durationMs)} ms from ${databases.where}`)
  } catch (error) {
    throw definitionError(error, question)
  }
}

type Executes = Pick<Replicas, 'begin'>

/** What was printed, for people. */
type Found = string

async function printReport(
  replicas: Executes,
  request: ReportRequest<ReportDefinition>,
  { config, now }: Question,
  { json, format: name = json === true ? 'json' : undefined, org }: RunOptions,
): Promise<Found> {
  const format =
    name === undefined
      ? textTable({ organizationName: org, maxWidth: terminalWidth() })
      : OFFERED_FORMATS[name].format
  const load = createLoadReport({
    replicas,
    maxBytes: config.cacheMaxEntryBytes,
    spillFiles: createSpillFiles({ maxBytes: config.spoolMaxBytes, folder: tmpdir() }),
    negativeCache: createNegativeCache({ observe: () => undefined, elapsed: now }),
    observe: sayNullDates,
    now,
  })
  const body = await load(request, { format }, new AbortController().signal)
  await print(
    body.kind === 'report'
      ? body.representations.get(format.name)!.bytes
      : Readable.from(body.chunks, { objectMode: false }),
  )
  return counted(body.rowCount, 'row')
}

const sayNullDates: Observe = fact => {
  if (fact.kind === 'dates-nulled') say(nullDatesText(fact.definition, fact.column))
}

async function printMetrics(
  replicas: Executes,
  request: ReportRequest<MetricsDefinition>,
  { now }: Question,
  { json, org }: RunOptions,
): Promise<Found> {
  const { signal } = new AbortController()
  const codes = request.definition.metrics.map(({ code }) => code)
  if (json === true) {
    const negativeCache = createNegativeCache({ observe: () => undefined, elapsed: now })
    const values = await createLoadMetrics({ replicas, negativeCache, now })(request, signal)
    await print(metricsBody(codes, values.json))
  } else {
    const { value } = await readMetricFields({ replicas, now }, request, signal, fields =>
      metricsTable(fields, request, org),
    )
    await print(value)
  }
  return counted(codes.length, 'metric')
}

async function printScript({ request, databases, now }: Question): Promise<void> {
  const { definition, organization } = request
  await print(psqlScript(definition, bindings(request, now), organization.idType, SETTINGS))
  if (!databases.isDemo) say('Paste it into: psql "$DATABASE_URL"')
  else if (runningDemo(DEMO_DIRECTORY) !== undefined) {
    say(`Paste it into: psql '${databases.environment['DATABASE_URL']}'`)
  } else say('Start the demo with `make run` to have where to paste it.')
}

/** In psql a statement has the gateway's plan and answer, and writes nothing. */
const SETTINGS = { ...STATEMENT_SETTINGS, default_transaction_read_only: 'on' }

function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}
